import { UNSURE } from '../judgement.ts'
import { HALF, type Notation, RIGHT, WRONG } from './judge-by-notation.ts'

interface Note {
  letter: string
  /** In semitones. */
  altered: number
  mode: 'major' | 'minor' | ''
}

const ASKS =
  /\b(?:triad|chords?|key\s+signature|music\w*|semitones?|relative\s+(?:major|minor)|(?:major|minor)\s+(?:key|scale)|key\s+has|notes?\s+(?:of|in|make|makes|is|are))\b/i
const NOTE =
  /(?<![\p{L}\d])([A-G])[\s-]?(♯|#|♭|b(?!\p{L})|sharp|flat|natural)?[\s-]*(major|minor|maj|min|m(?!\p{L}))?(?!\p{L})/gu
const SYLLABLES = new Map(
  Object.entries({ do: 'C', re: 'D', mi: 'E', fa: 'F', sol: 'G', so: 'G', la: 'A', si: 'B', ti: 'B' }),
)
const SEMITONES: Record<string, number> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 }

function notesIn(answer: string): { skeleton: string; found: Note[][] } {
  const notes: Note[] = []
  const told = answer
    .replace(/\([^()]*\)/g, ' ')
    .replace(
      /\b(?:do|re|mi|fa|sol?|la|si|ti)(?=[♯#♭b]?(?!\p{L}))/giu,
      (name) => SYLLABLES.get(name.toLowerCase()) ?? name,
    )
  const short = /^\s*[a-g](?:[♯#♭b]|\s?(?:sharp|flat|major|minor))?(?:\W+[a-g][♯#♭b]?|\W|\b)*/i.exec(told)?.[0] ?? ''
  const plain = short
    .toUpperCase()
    .replace(/♭|B(?<=[A-G]B)(?!\p{L})/gu, '♭')
    .replace(/MAJOR|MINOR|SHARP|FLAT/g, (word) => word.toLowerCase())
  const text = /^[a-g](?!\p{L})/u.test(told.trim()) ? plain + told.slice(short.length) : told
  const skeleton = text.replace(NOTE, (all, letter: string, sign = '', mode = '') => {
    if (all.trim() === 'A' && /\bA\s+[a-z]{2}/.test(text)) return all
    const altered = /♯|#|sharp/.test(sign) ? 1 : /♭|b|flat/.test(sign) ? -1 : 0
    notes.push({ letter, altered, mode: /^maj/.test(mode) ? 'major' : mode ? 'minor' : '' })
    return ' '
  })
  return {
    skeleton: `${skeleton.replace(/#/g, ' ')}${notes.length > 0 ? '#0#' : ''}`,
    found: notes.length > 0 ? [notes] : [],
  }
}

const pitchOf = ({ letter, altered }: Note): number => ((SEMITONES[letter] ?? 0) + altered + 12) % 12

export const MUSICAL_KEY: Notation<Note[]> = {
  read(key, prompt) {
    const { skeleton, found } = ASKS.test(prompt) ? notesIn(key) : { skeleton: '', found: [] }
    return /^[\s,;–—-]*(?:and)?[\s,;–—-]*#0#$/.test(skeleton) ? (found[0] ?? null) : null
  },
  find: notesIn,
  compare(key, given, prompt) {
    if (key.length !== given.length) return { ...WRONG, confidence: UNSURE }
    const ordered = /\border\b/i.test(prompt)
    const fits = key.map((note, i) => {
      const same = given.find((one) => one.letter === note.letter && one.altered === note.altered)
      const other = (ordered ? undefined : same) ?? given[i] ?? note
      const said =
        note.mode !== '' && prompt.includes(note.mode) && !(prompt.includes('major') && prompt.includes('minor'))
      const mode = other.mode === '' && said ? note.mode : other.mode
      if (pitchOf(note) !== pitchOf(other) || (note.mode !== mode && mode !== '')) return 0
      return note.letter === other.letter && note.mode === mode ? 1 : 0.5
    })
    const share = fits.reduce((sum: number, fit) => sum + fit, 0) / fits.length
    return share === 1 ? RIGHT : share >= 0.5 ? { ...HALF, share: Math.min(share, 0.5) } : WRONG
  },
}
