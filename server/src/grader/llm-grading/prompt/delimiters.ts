import { hashOf } from '../../../lib/security/hash-of.ts'

/**
 * A mark to set a student's words between, that no student can have written: 100 bits of a hash over everything else the model
 * is told, key and rubric and the words themselves included. Writing it into an answer would change it. It is the same
 * whenever the same is asked: a crash must not make another question of it, which would be paid for again.
 */
export function delimiterFor(text: string, about: string): string {
  for (let n = 0; ; n++) {
    const mark = hashOf(JSON.stringify([about, text, n])).slice(0, 25)
    // Chance alone could put it there, once in the age of the universe; looking costs nothing.
    if (!text.includes(mark)) return mark
  }
}

/** The student's words between their marks, each on a line of its own. */
export const delimit = (mark: string, text: string): string => `<<<${mark}\n${text}\n${mark}>>>`
