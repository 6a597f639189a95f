const LABEL = 'label'
const MARKED = `${LABEL}\\p{L}{2,4}`

/** Letters and figures of the parts of a figure that a key or a prompt speaks of: “A and B”, “1 crust, 2 mantle”. */
export function labelsIn(texts: readonly string[]): Set<string> {
  const all = texts.join(' \n ')
  const letter = /(?<![\p{L}\p{N}'’.=+*/^-])([A-Z]\d?|[b-hj-z]|a(?=\s*(?:and\b|is\b|[,:=)])))(?![\p{L}\p{N}'’(^*/+-])/gu
  const labels = new Set([...all.matchAll(letter)].map(([, one = '']) => one.toLowerCase()))
  labels.delete('i')
  if (labels.size < 2) labels.clear()
  const figures = [...all.matchAll(/(?<![\p{N}.,])([1-9])(?=[\s:.)-]+\p{L})/gu)].map(([, one = '']) => one)
  if (figures.includes('1') && figures.includes('2')) for (const one of figures) labels.add(one)
  return labels
}

/** Makes words of them, with an ending that no stem loses: else “A” were an article. */
export function markLabels(text: string, labels: ReadonlySet<string>): string {
  if (labels.size === 0) return text
  const hasSmall = /(?<![\p{L}\p{N}])[b-hj-z](?![\p{L}\p{N}'’])/u.test(text)
  return text.replace(/(?<![\p{L}\p{N}'’.,])(?:\p{L}\d?|\d)(?![\p{L}\p{N}'’]|[.,]\d)/gu, (label) => {
    const lower = label.toLowerCase()
    if (!labels.has(lower) || (label === 'a' && !hasSmall)) return label
    return ` ${LABEL}${lower.replace(/\d/, (digit) => 'zyxwvutsrq'.charAt(Number(digit)).repeat(2))}q `
  })
}

export const isLabel = (term: string): boolean => term.startsWith(LABEL)

/** “A nucleus B vacuole”: each goes with what follows or, where words lead, with what precedes. */
export function splitAtLabels(clause: string): string[] {
  const parts = clause.trim().split(new RegExp(`(?=\\b${MARKED}\\b)`, 'u'))
  if (parts.filter(isLabel).length < 2) return [clause]
  return isLabel(parts[0] ?? '') ? parts : clause.split(new RegExp(`(?<=\\b${MARKED}\\b)`, 'u'))
}
