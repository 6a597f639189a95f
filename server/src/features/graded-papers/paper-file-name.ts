import { type GradedPaperSource, nameOf } from './graded-paper-markup.ts'

/** Belongs to the surname behind it: Vincent van Gogh, Charles de Gaulle. */
const particle = /^\p{Ll}/u
/** Device names on Windows. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
/** With its ending a name stays below the 255 bytes that most file systems allow. */
const MOST_LETTERS = 60

/** `Surname, First (number)`, or the paper's label. */
export function paperName(source: Pick<GradedPaperSource, 'student' | 'submission'>): string {
  const { student } = source
  const name = student?.full_name ? surnameFirst(student.full_name) : nameOf(source)
  return student?.student_number ? `${name} (${student.student_number})` : name
}

function surnameFirst(fullName: string): string {
  const words = fullName.trim().split(/\s+/)
  if (words.length === 1 || fullName.includes(',')) return words.join(' ')
  const firstParticle = words.findIndex((word, i) => i > 0 && i < words.length - 1 && particle.test(word))
  const surname = firstParticle === -1 ? words.length - 1 : firstParticle
  return `${words.slice(surname).join(' ')}, ${words.slice(0, surname).join(' ')}`
}

export function safeFileName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .replace(/[/\\:*?"<>|]/g, '-')
    .replace(/\s+/g, ' ')
  const short = [...plain].slice(0, MOST_LETTERS).join('')
  const trimmed = short.replace(/^[.\s]+|[.\s]+$/g, '')
  if (trimmed === '') return 'Paper'
  return reserved.test(trimmed) ? `_${trimmed}` : trimmed
}

/** Ignores case: the second `Chen, Lucy` is `Chen, Lucy – 2`. */
export function createUniqueNames(): (name: string, ending?: string) => string {
  const taken = new Set<string>()
  return (name, ending = 'pdf') => {
    const safe = safeFileName(name)
    for (let n = 1; ; n++) {
      const unique = n === 1 ? safe : `${safe} – ${n}`
      const key = unique.toLowerCase()
      if (taken.has(key)) continue
      taken.add(key)
      return `${unique}.${ending}`
    }
  }
}
