const familyNames = ['Abel', 'Bose', 'Cruz', 'Dahl', 'Eder', 'Farah', 'Grant', 'Haas', 'Ito', 'Jansen', 'Kaya', 'Lund']
const givenNames = ['Ana', 'Ben', 'Chen', 'Dora', 'Emil', 'Femi', 'Gita', 'Hugo', 'Ines', 'Jonas']

/** All different; with a number once the names are used up. */
export function nameOf(n: number): { givenName: string; familyName: string } {
  const round = Math.floor(n / (givenNames.length * familyNames.length))
  const givenName = givenNames[n % givenNames.length] ?? 'Ana'
  const familyName = familyNames[Math.floor(n / givenNames.length) % familyNames.length] ?? 'Abel'
  return { givenName, familyName: round > 0 ? `${familyName} ${round + 1}` : familyName }
}
