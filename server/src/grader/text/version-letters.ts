/** An option of another version of the paper than A, whose letters are its own. */
const IN_VERSION = /^\W*([A-H])\s*\(version ([B-D])\)\W*$/i

/** A wrong option of a version, as “C (version B)”. */
export const inVersion = (letter: string, version: string): string => `${letter} (version ${version})`

/** The letter and the version of such an answer. */
export function readInVersionLetters(text: string): { letter: string; version: string } | null {
  const found = IN_VERSION.exec(text)
  return found ? { letter: (found[1] ?? '').toUpperCase(), version: (found[2] ?? '').toUpperCase() } : null
}
