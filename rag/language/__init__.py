"""What the engine knows of human languages: scripts, words, sentences, units."""
