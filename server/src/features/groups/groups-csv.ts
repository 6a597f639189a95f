import { parse } from 'csv-parse/sync'
import { AppError } from '../../lib/http/app-error.ts'
import type { RosterStudent } from '../submissions/matching/name-index.ts'
import type { WantedGroup } from './group.service.ts'

const normal = (text: string) => text.normalize('NFC').trim().toLowerCase()

/** By what is only one student's, so not by names. @param checked nothing that students say of themselves */
export function createStudentFinder(
  roster: RosterStudent[],
  { checked }: { checked: boolean },
): (text: string) => RosterStudent | null {
  const byKey = new Map<string, Set<RosterStudent>>()
  for (const student of roster) {
    // Who joined by a code has chosen their own number.
    const numbers = student.added_by_staff || !checked ? student.numbers : []
    const addresses = student.email_verified || !checked ? [student.email] : []
    for (const key of new Set([student.username, ...addresses, ...numbers].map(normal)))
      byKey.set(key, (byKey.get(key) ?? new Set()).add(student))
  }
  return (text) => {
    const [only = null, another] = byKey.get(normal(text)) ?? []
    return another ? null : only
  }
}

const MAX_FAILURES = 50

/**
 * The heading of one column is “group”; the student is the first cell of a row that is a username, address or number.
 * @throws {AppError} `bad_request` for what is no such table
 */
export function readGroupsCsv(
  text: string,
  find: (text: string) => RosterStudent | null,
): { wanted: WantedGroup[]; failures: string[] } {
  const [heading = [], ...rows] = parseRows(text)
  const column = heading.findIndex((cell) => /^groups?( name)?$/.test(normal(cell)))
  if (column === -1)
    throw new AppError('bad_request', 'The first row needs a column “group”, and one for username, email or number.')
  const groups = new Map<string, WantedGroup>()
  const placed = new Set<number>()
  const failures: string[] = []
  for (const [i, cells] of rows.entries()) {
    const name = (cells[column] ?? '').replace(/\s+/g, ' ').trim().slice(0, 100)
    if (name === '') continue
    const student = cells.flatMap((cell, at) => (at === column ? [] : (find(cell) ?? [])))[0]
    if (!student) failures.push(`Row ${i + 2}: nobody on this course has this username, address or number.`)
    else if (placed.has(student._id)) failures.push(`Row ${i + 2}: this student is in a row above.`)
    else {
      placed.add(student._id)
      const group = groups.get(normal(name)) ?? { name, ids: [] }
      groups.set(normal(name), { ...group, ids: [...group.ids, student._id] })
    }
  }
  return { wanted: [...groups.values()], failures: failures.slice(0, MAX_FAILURES) }
}

function parseRows(text: string): string[][] {
  const [first = ''] = text.split(/\r\n|\n|\r/, 1)
  const delimiter = [',', ';', '\t'].find((one) => first.includes(one)) ?? ','
  try {
    return parse(text, { bom: true, delimiter, relax_column_count: true, skip_empty_lines: true, trim: true })
  } catch (cause) {
    throw new AppError('bad_request', 'This file is no CSV: a quotation mark is missing or misplaced.', { cause })
  }
}
