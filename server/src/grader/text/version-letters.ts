const IN_VERSION = /^\W*([A-H])\s*\(version ([B-D])\)\W*$/i

export const inVersion = (letter: string, version: string): string => `${letter} (version ${version})`

export function readInVersionLetters(text: string): { letter: string; version: string } | null {
  const found = IN_VERSION.exec(text)
  return found ? { letter: (found[1] ?? '').toUpperCase(), version: (found[2] ?? '').toUpperCase() } : null
}
