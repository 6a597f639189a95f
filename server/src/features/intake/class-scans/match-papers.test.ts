import { expect, it } from 'vitest'
import type { RosterStudent } from '../../submissions/matching/name-index.ts'
import { matchPapers } from './propose-students.ts'

const roster = ['Ada Lovelace', 'Maximiliana Wexler', 'Ben King'].map(
  (full_name, i): RosterStudent => ({
    ...{ _id: i + 1, username: `user${i}`, full_name, email: `user${i}@school.example`, email_verified: true },
    ...{ added_by_staff: true, numbers: [] },
  }),
)

const match = (...names: string[]) => {
  const papers = names.map((text, i) => ({
    key: String(i),
    hints: [{ kind: 'name' as const, text, page: 1, ocr: true }],
  }))
  const found = matchPapers(papers, roster, { taken: new Set(), given: new Set() })
  return [...found.values()].map(({ student_id, student_doubt }) => [student_id, student_doubt])
}

it('asks about a name of which OCR read one half and another half', () => {
  expect(match('Ada Lovelace', 'Maximiliana Wxgr')).toEqual([
    [1, null],
    [2, 'The name was hard to read.'],
  ])
})

it('asks about a number that may be another student’s with a digit left out', () => {
  const numbered = roster.map((student, i) => ({ ...student, numbers: [['31415', '3141', '27182'][i] ?? ''] }))
  const hints = [{ kind: 'number' as const, text: '3141', page: 1, ocr: false, missing: 1 }]
  const [paper] = matchPapers([{ key: 'a', hints }], numbered, { taken: new Set(), given: new Set() }).values()
  expect(paper).toMatchObject({ student_id: 2, student_doubt: 'It may also be Ada Lovelace.' })
})
