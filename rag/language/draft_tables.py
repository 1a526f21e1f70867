"""Tables of the language files with the phrases that a chatbot puts around its answers."""

from __future__ import annotations

from rag.language.fields import Pattern, Section, Words


class Drafts(Section):
    """Patterns of what drafts say besides an answer; never a phrase that can be a part of an answer.

    Args:
        about_draft: Talk about an earlier draft: "the previous answer".
        asker, answerer: How a chat log names the two sides: "user", "assistant".
        exclamation: Politeness before an answer: "Great question!". Some answers consist only of this, so it
            counts only if more text follows.
        announcement: A first sentence that announces the answer: "Let me explain."
        openers: Phrases that introduce an answer and have no content of their own: "Here is the answer:".
        self_introduction: The clause in which a model introduces itself; the sentence is complete without it.
        closers: Politeness after an answer: "I hope this helps".
        courteous_denials: Polite phrases with a negation that denies nothing: "don't hesitate".
        somebody: Names somebody else to ask. A closer with such words carries information, so it stays.
        never_names: Words in capitals that are no names: "I".
        disclaimers: The answer may be wrong, or somebody else should be asked. Notices ("please note that …")
            and rules ("badges may not be lent") are not disclaimers.
        placeholder_opening: First words of a field of a template that was not filled in: "[your name]".
        placeholder_ending: Last words of such a field: "[address to be added]".
    """

    about_draft: Pattern = ""
    asker: Pattern = ""
    answerer: Pattern = ""
    exclamation: Pattern = ""
    announcement: Pattern = ""
    openers: tuple[Pattern, ...] = ()
    self_introduction: Pattern = ""
    closers: tuple[Pattern, ...] = ()
    courteous_denials: Pattern = ""
    somebody: Pattern = ""
    never_names: Words = ()
    disclaimers: tuple[Pattern, ...] = ()
    placeholder_opening: Pattern = ""
    placeholder_ending: Pattern = ""
