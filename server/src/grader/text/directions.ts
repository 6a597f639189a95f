const GOES = /\b(?:go|goes|going|went|gone|moves?|moved|moving|comes?)[\s.]+(up|down)\b/g
const STAYS =
  /\b(?:stay|stays|stayed|remain|remains|remained|keep|keeps|kept|be|is)\s+(?:the\s+same|unchanged|constant)\b|\b(?:does|do|did|will|would)(?:\s+not|n['’]?t)\s+change\b|\bno\s+change\b|\bunchanged\b/g

/** “goes up”, “stays the same” in one word. */
export const normalizeDirections = (text: string): string =>
  text
    .toLowerCase()
    .replace(GOES, (_, way: string) => (way === 'up' ? 'rises' : 'falls'))
    .replace(STAYS, 'unchanged')
