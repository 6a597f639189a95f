/** Of an error of Node or SQLite: `ENOENT`, 11000. */
export const hasCode = (error: unknown, ...codes: (string | number)[]): boolean =>
  error instanceof Error && 'code' in error && codes.some((code) => code === error.code)
