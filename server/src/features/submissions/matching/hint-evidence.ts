import type { MatchReason } from '@assay/shared/match-reasons.ts'
import { foldName } from '../../../grader/anonymizer/name-tokens.ts'
import { foldOcrLookAlikes } from '../../../grader/anonymizer/ocr-lookalikes.ts'
import type { OwnerHint } from '../../../grader/grader.ts'
import { countEach } from '../../../lib/numbers.ts'
import { createNameIndex, type RosterStudent, splitWords } from './name-index.ts'
import { createNameReader, numberEvidence, wordEvidence } from './ocr-evidence.ts'

export interface Evidence {
  student: RosterStudent
  /** In nats: how much more likely the paper's words are if it is theirs. */
  score: number
  reason: MatchReason
  /** Sufficient alone (`wholly`) or with a number (`half`); not where half of the name is another. */
  fits: 'wholly' | 'half' | 'no'
  /** They share the half that was read well, and must have papers before it fits wholly. */
  rivals?: number[]
}

export const TYPED = 20

interface Known {
  student: RosterStudent
  words: string[]
  /** Pairs of letters, look-alikes as one. */
  pieces: ReadonlySet<string>
  /** First and last word, or first and the rest, in both orders. */
  pairs: [string, string][]
  initials: string[]
  numbers: string[]
  handles: string[]
}

function toKnown(student: RosterStudent): Known {
  const words = splitWords(student.full_name ?? '')
  const [first = '', last = ''] = [words[0], words.at(-1)]
  const rest = words.slice(1).join('')
  const ends: [string, string][] =
    words.length > 2
      ? [
          [first, last],
          [first, rest],
        ]
      : [[first, last]]
  return {
    student,
    words,
    pieces: piecesOf(words.join('')),
    pairs:
      words.length > 1
        ? ends.flatMap(([a, b]): [string, string][] => [
            [a, b],
            [b, a],
          ])
        : [],
    initials: words.length > 1 ? [first.charAt(0) + last, last + first.charAt(0)] : [],
    numbers: [...new Set(student.numbers.map(squeeze).filter((number) => /\d{2}/.test(number)))],
    handles: [student.email, student.username].filter((one) => one.length > 2).map((one) => one.toLowerCase()),
  }
}

const squeeze = (text: string) => foldName(text.normalize('NFC')).replace(/[\s.,'’"“”_:;~^`*-]+/gu, '')

const piecesOf = (text: string): Set<string> => {
  const folded = foldOcrLookAlikes(text)
  return new Set([...folded].slice(1).map((letter, i) => folded.charAt(i) + letter))
}

/** Only so many names are compared letter by letter with a text. */
const MAX_READ = 80

function likest(known: Known[], text: string): Known[] {
  if (known.length <= MAX_READ) return known
  const read = piecesOf(text)
  return known
    .map((one) => ({ one, share: [...one.pieces].filter((piece) => read.has(piece)).length / (one.pieces.size || 1) }))
    .sort((a, b) => b.share - a.share)
    .slice(0, MAX_READ)
    .map(({ one }) => one)
}

interface Class {
  known: Known[]
  sharedBy: ReadonlyMap<string, number>
}

/** A shorter word may be another, misread. */
const LEAST_ALONE = 6

export function createHintReader(students: RosterStudent[]): (hint: OwnerHint) => Evidence[] {
  const index = createNameIndex(students)
  const known = students.map(toKnown)
  const sharedBy = countEach(known.flatMap(({ words }) => [...new Set(words)]))
  const everybody = { known, sharedBy }
  const ownerOf = (word: string) =>
    word.length > 2 && sharedBy.get(word) === 1 ? known.find(({ words }) => words.includes(word))?.student : undefined

  function typedNames(hint: OwnerHint): Evidence[] {
    const named = index.find(joinBoxes(hint.text)).map(({ student }) => certain(student, 'name_on_paper'))
    if (named.length > 0) return named
    const words = splitWords(hint.text)
    const alone = hint.kind === 'name' && words.length === 1 ? ownerOf(words[0] ?? '') : undefined
    if (alone) return [certain(alone, 'name_on_paper')]
    if (hint.kind === 'unlabelled') return []
    // A name that differs by a letter is somebody else's or a slip: a person decides.
    return misreadNames(hint, everybody).map((one) => ({ ...one, fits: one.fits === 'no' ? 'no' : 'half' }))
  }

  /** Of handwriting OCR may have read one word alone, which must be long enough. */
  function scannedNames(hint: OwnerHint): Evidence[] {
    const read = misreadNames(hint, everybody)
    const [word = '', more] = splitWords(hint.text).filter((one) => one.length > 1)
    const alone = hint.kind === 'name' && !more && word.length >= LEAST_ALONE ? ownerOf(word) : undefined
    if (!alone) return read
    const own: Evidence = { student: alone, score: wordEvidence(word, word), reason: 'name_on_paper', fits: 'wholly' }
    return [...read.filter(({ student }) => student !== alone), own]
  }

  return (hint) => {
    const handles = known.filter((one) => one.handles.some((handle) => isHandleIn(handle, hint)))
    if (handles.length > 0)
      return handles.map(({ student }) =>
        certain(student, hint.text.includes('@') ? 'email_on_paper' : 'username_on_paper'),
      )
    if (hint.kind === 'number') return numbersIn(hint, known)
    const names = hint.ocr ? scannedNames(hint) : typedNames(hint)
    return hint.kind === 'email' ? names : [...numbersIn(hint, known), ...names]
  }
}

/** `A D A  D I A Z`, a letter in each box, is `ADADIAZ`. */
const joinBoxes = (text: string) => text.replace(/(?<=(?:^|\s)\p{L})\s+(?=\p{L}(?:\s|$))/gu, '')

/** An address anywhere, a username alone in its field. */
function isHandleIn(handle: string, { kind, text }: OwnerHint): boolean {
  const written = text.toLowerCase()
  if (!handle.includes('@')) return kind === 'email' && written === handle
  const at = written.indexOf(handle)
  const end = at + handle.length
  return at >= 0 && !/[\p{L}\p{N}._%+-]/u.test(written.charAt(at - 1)) && !/[\p{L}\p{N}_-]/u.test(written.charAt(end))
}

export const certain = (student: RosterStudent, reason: MatchReason): Evidence => ({
  student,
  score: TYPED,
  reason,
  fits: 'wholly',
})

/** In its field, or elsewhere if too long to be an answer by chance. */
function numbersIn({ kind, text, ocr, missing = 0 }: OwnerHint, known: Known[]): Evidence[] {
  const read = squeeze(text)
  const words = kind === 'number' ? [read] : text.split(/\s+/).map(squeeze)
  const isLong = (number: string) =>
    kind === 'number' || number.replace(/\D/g, '').length >= (/\D/.test(number) ? 4 : 6)
  const figures = (number: string) => number.replace(/\D/g, '')
  const exact = known.filter(({ numbers }) => numbers.some((number) => isLong(number) && words.includes(number)))
  const bare = known.filter(
    ({ numbers }) =>
      kind === 'number' && numbers.some((number) => figures(number).length > 2 && figures(number) === read),
  )
  const typed = exact.length > 0 ? exact : bare
  if (!ocr) {
    const certainly = typed.map(({ student }) => certain(student, 'number_on_paper'))
    const longer = known.filter(
      (one) => !typed.includes(one) && one.numbers.some((number) => lacksFigures(read, figures(number), missing)),
    )
    if (longer.length === 0 || typed.length === 0) return certainly
    // A person decides between numbers that fit and those with digits left out.
    return [
      ...certainly.map((one): Evidence => ({ ...one, fits: 'half' })),
      ...longer.map(({ student }): Evidence => ({ ...certain(student, 'number_on_paper'), ...PERHAPS })),
    ]
  }
  if (kind !== 'number')
    return exact.map(({ student }) => ({ ...certain(student, 'number_on_paper'), score: TYPED / 2 }))
  // Sides of boxes are read as signs, or as ones.
  const readings = [...new Set([read, read.replace(/[[\]|(){}]/g, '')])]
  return known.flatMap(({ student, numbers }): Evidence[] => {
    if (numbers.length === 0) return []
    const score = Math.max(...numbers.flatMap((number) => readings.map((one) => readNumber(number, one))))
    return [{ student, score, reason: 'number_on_paper', fits: 'wholly' }]
  })
}

const PERHAPS = { score: TYPED - 1, fits: 'half' } as const

/** `read` is `number` without at most `most` digits. */
function lacksFigures(read: string, number: string, most: number): boolean {
  if (number.length <= read.length || number.length > read.length + most) return false
  let at = 0
  for (const figure of number) if (figure === read[at]) at += 1
  return at === read.length
}

/** The letters of a number are often left out. */
const WITHOUT_LETTERS = 1

function readNumber(number: string, read: string): number {
  const figures = number.replace(/\D/g, '')
  const whole = numberEvidence(number, read)
  return figures.length < 4 || figures === number
    ? whole
    : Math.max(whole, numberEvidence(figures, read) - WITHOUT_LETTERS)
}

const LEAST_WORD = 0.2
/** For a word that several students share, such as a family name. */
const LEAST_OF_SHARED = 0.45
/** Where a number agrees. */
const LEAST_HALF = 0.05

/** Of two names that differ by a letter OCR does not confuse, it is the one read so. */
const EXACT = 1

function misreadNames({ text }: OwnerHint, { known, sharedBy }: Class): Evidence[] {
  const read = squeeze(text)
  const readName = createNameReader(read)
  const words = splitWords(text)
  const hasInitial = words.length < 4 && words.some((word) => word.length === 1)
  const isShared = (word: string) => (sharedBy.get(word) ?? 0) > 1
  return likest(known, read).flatMap(({ student, pairs, initials }): Evidence[] => {
    let best = { evidence: Number.NEGATIVE_INFINITY, weakest: 0, other: '' }
    for (const pair of pairs) {
      const { evidence, shares } = readName(pair)
      const [weakest, other] = shares[0] < shares[1] ? [shares[0], pair[1]] : [shares[1], pair[0]]
      if (evidence > best.evidence) best = { evidence, weakest, other }
    }
    if (best.evidence > 0 && best.weakest >= (isShared(best.other) ? LEAST_OF_SHARED : LEAST_WORD))
      return [
        { student, score: best.evidence + (best.weakest === 1 ? EXACT : 0), reason: 'name_on_paper', fits: 'wholly' },
      ]
    if (hasInitial) {
      const short = Math.max(...initials.map((name) => wordEvidence(name, read)))
      if (short > best.evidence) return [{ student, score: short, reason: 'name_on_paper', fits: 'wholly' }]
    }
    const fits = best.weakest > LEAST_HALF ? 'half' : 'no'
    const othersCalled = (word: string) =>
      known.flatMap((one) => (one.student !== student && one.words.includes(word) ? [one.student._id] : []))
    const rivals = best.evidence > 0 && best.weakest >= LEAST_WORD ? othersCalled(best.other) : []
    return pairs.length > 0
      ? [{ student, score: best.evidence, reason: 'name_on_paper', fits, ...(rivals.length > 0 ? { rivals } : {}) }]
      : []
  })
}
