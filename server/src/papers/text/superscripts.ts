import type { TextRun } from './text-run.ts'

const PLAIN = '0123456789+-−–n'
const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻ⁿ'
const degreeSigns = /^\s*[◦∘o]\s*$/

export function isSuperscript(run: TextRun, before: { size: number; baseline: number }): boolean {
  const rise = before.baseline - run.baseline
  return run.direction === 0 && run.size < 0.87 * before.size && rise > 0.18 * before.size && rise < before.size
}

/** As `²`, `⁻¹`, `°`; `^(n+1)` where Unicode has none. */
export function superscriptText(text: string): string {
  if (degreeSigns.test(text)) return '°'
  const letters = [...text.trim()]
  if (letters.length === 0) return text
  if (letters.every((letter) => PLAIN.includes(letter) || letter === ' '))
    return letters.map((letter) => RAISED[PLAIN.indexOf(letter)] ?? '').join('')
  // Ordinals and footnote signs are raised too: “1st”, “*”.
  if (!/^[\p{L}\p{N}+−–-]{1,6}$/u.test(text.trim()) || /^(?:st|nd|rd|th|TM|R|[*†‡])$/.test(text.trim())) return text
  return letters.length === 1 ? `^${text.trim()}` : `^(${text.trim()})`
}
