export interface ExportedStudent {
  first: string
  last: string
  number: string
  login: string
}

export const classOfTwenty: ExportedStudent[] = [
  'Ada Lovelace,Alan Turing,Grace Hopper,Edsger Dijkstra,Barbara Liskov,Donald Knuth,Zoë Núñez,Lotte van Dam,Ken Thompson,Radia Perlman',
  'Frances Allen,Tony Hoare,Lynn Conway,Niklaus Wirth,Adele Goldberg,Dennis Ritchie,Karen Jones,Leslie Lamport,Shafi Goldwasser,John Backus',
]
  .join(',')
  .split(',')
  .map((name, i) => {
    const [first = '', ...last] = name.split(' ')
    const number = String(20_481_033 + i * 7_919)
    return {
      first,
      last: last.join(' '),
      number,
      login: `${first}${i}`
        .normalize('NFKD')
        .replace(/\P{ASCII}/gu, '')
        .toLowerCase(),
    }
  })

/** How the table is written: the delimiter, and whether a byte order mark is before it. */
export interface RosterExport {
  form: string
  system: string | null
  addresses: boolean
  numbers: boolean
  above?: string[][]
  rows: (students: ExportedStudent[]) => string[][]
  as?: RosterFormat
}

interface RosterFormat {
  delimiter?: string
  encoding?: 'utf8' | 'utf8 with mark' | 'utf16'
  allQuoted?: boolean
}

export function writeRoster(
  { above = [], rows, as = {} }: RosterExport,
  students: ExportedStudent[],
  change: { format?: RosterFormat; table?: (rows: string[][]) => string[][] } = {},
): Buffer {
  const { delimiter = ',', encoding = 'utf8', allQuoted = false } = { ...as, ...change.format }
  const cell = (text: string) =>
    allQuoted || text.includes(delimiter) || /["\n,]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  const table = [...above, ...(change.table ?? ((same) => same))(rows(students))]
  const text = `${table.map((cells) => cells.map(cell).join(delimiter)).join('\r\n')}\r\n`
  if (encoding === 'utf16') return Buffer.from(`\ufeff${text}`, 'utf16le')
  return Buffer.from(encoding === 'utf8' ? text : `\ufeff${text}`)
}
