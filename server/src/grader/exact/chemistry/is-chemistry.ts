import { readReaction } from './read-reaction.ts'

/** An index, arrow or charge, or two elements where the prompt asks for chemistry. */
export function isChemistry(text: string, prompt: string): boolean {
  const reaction = readReaction(text)
  if (!reaction) return false
  if (/[→⟶⇌]|->/.test(text)) return true
  const symbols = reaction.sides.flat().flatMap(({ structure }) => structure.match(/[A-Z][a-z]?/g) ?? [])
  const asked =
    /\b(?:chemical|formulae?|compound|molecule|ions?|element|symbol|equation|reaction|oxide|acid|salt|isotope)\b/i.test(
      prompt,
    )
  // “P = IV” is physics.
  if (text.includes('=')) return asked && /\d/.test(text) && /\+/.test(text)
  return asked && (symbols.length > 1 || /\d|[+-]$/.test(text.normalize('NFKC').replace(/−/g, '-')))
}
