"""Knowledge of human languages: scripts, words, sentences, units."""
