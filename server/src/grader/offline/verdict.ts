/** “No, …”, “I disagree …”, “True because …”: what an answer decides before it explains. */
const HEAD = /^\W*(?:i\s+(?:would\s+)?)?(yes|no|agree|disagree|true|false|correct|incorrect)\b/i
const FOR = new Set(['yes', 'agree', 'true', 'correct'])

function decides(text: string): boolean | null {
  const word = HEAD.exec(text)?.[1]?.toLowerCase()
  return word === undefined ? null : FOR.has(word)
}

/** Every key begins by deciding, and the answer by deciding the other way. */
export function decidesOtherWay(accepted: string[], answer: string): boolean {
  const ours = decides(answer)
  if (ours === null) return false
  const keys = accepted.map(decides)
  return keys.every((key) => key !== null && key !== ours)
}
