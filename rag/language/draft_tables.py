"""Tables of the language files with the phrases that a chatbot puts around its answers."""

from __future__ import annotations

from rag.language.fields import Pattern, Section, Words


class Placeholders(Section):
    """Patterns of the words of a field that was not filled in, which stands in brackets: "[your name]".

    Args:
        opening: The first words in the brackets: "insert".
        inside: Words anywhere in short brackets.
        ending: The last words in the brackets: "to be added".
        here: The last word "here": "[link goes here]".
        here_first: The first word "here".
        pointing: Words before "here" in brackets that are not a placeholder: "[click here]".
    """

    opening: Pattern = ""
    inside: Pattern = ""
    ending: Pattern = ""
    here: Pattern = ""
    here_first: Pattern = ""
    pointing: Pattern = ""


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
        controls: Words before the name of a button: in "press [Your orders]" the brackets are no placeholder.
        control_joints: Words between these and the name: "click on the".
        controls_behind: Words behind the name of a button, with the space before them.
        copulas: "is", before a note that something is still to be written.
        statuses: What a note in capitals can be the value of: "the status is TODO".
        work_stages: Stages of work in a list, where a note in capitals is one of them.
        to_do_lists: What asks for a list of things to do, in which a note in capitals is meant.
        placeholders: Fields of a template.
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
    controls: Pattern = ""
    control_joints: Words = ()
    controls_behind: Pattern = ""
    copulas: Words = ()
    statuses: Words = ()
    work_stages: Pattern = ""
    to_do_lists: Pattern = ""
    placeholders: Placeholders = Placeholders()
