/** “No, …”, “I disagree …”, “True because …”: what an answer decides before it explains. */
const STANCE = /^\W*(?:i\s+(?:would\s+)?)?(yes|no|agree|disagree|true|false|correct|incorrect)\b/i
const AFFIRMATIVE = new Set(['yes', 'agree', 'true', 'correct'])

function stanceOf(text: string): boolean | null {
  const word = STANCE.exec(text)?.[1]?.toLowerCase()
  return word === undefined ? null : AFFIRMATIVE.has(word)
}

/** Every key begins with a decision, and the answer with the opposite one. */
export function hasOppositeStance(accepted: string[], answer: string): boolean {
  const ours = stanceOf(answer)
  if (ours === null) return false
  const keys = accepted.map(stanceOf)
  return keys.every((key) => key !== null && key !== ours)
}
