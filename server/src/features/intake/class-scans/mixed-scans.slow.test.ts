import { expect, it } from 'vitest'
import { drawExam, drawMixedStack, drawStack } from '../../../../../tests/papers/class-stack.ts'
import { buildScannedClass, keyOf, names, placesOf, studentsOf } from '../../../testing/scanned-class.ts'
import { useTestApi } from '../../../testing/server.ts'

const { api } = useTestApi()

const drawTwoExams = async () => ({
  stack: await drawStack(await drawExam('Science, end of year examination', 5), { students: names, seed: 4, dpi: 100 }),
  other: await drawStack(await drawExam('History, midterm test', 9), { students: [names[1]], seed: 6, dpi: 100 }),
})

it('asks about a page within a paper that has another student’s name, where two papers lie together as one', async () => {
  const { students, scanned } = await buildScannedClass(api)
  // The second student's first page is not recognised, and both papers together are as long as the blank.
  const pdf = await drawMixedStack('two as one', async () => {
    const { stack, other } = await drawTwoExams()
    return [stack[0], stack[1], other[0], stack[7]].flatMap((page) => page ?? [])
  })
  const scan = await scanned(pdf, 4)
  const merged = await scan.open()
  const asked = merged.papers.flatMap((paper) => paper.pages.filter(({ doubts }) => doubts.length > 0))
  expect(asked.map(({ page, doubts }) => [page, ...doubts])).toEqual([
    [3, expect.stringMatching(/^The name of a student is at the top of this page/)],
  ])
  const cut = await scan.edit({ kind: 'split', page: keyOf(merged, 3) })
  expect(placesOf(cut)).toEqual([
    [1, 2],
    [3, 4],
  ])
  expect(studentsOf(cut)).toEqual(students)
})

it('asks about the student whose name stands on a page that may be another paper’s', async () => {
  const { students, scanned } = await buildScannedClass(api)
  // The first student's first page is missing, and the second's second is not in the blank: it may as well be their
  // first.
  const pdf = await drawMixedStack('page between two', async () => {
    const { stack, other } = await drawTwoExams()
    return [...stack.slice(1, 5), other[1], ...stack.slice(6)].flatMap((page) => page ?? [])
  })
  const scan = await scanned(pdf)
  const { papers } = await scan.open()
  expect(papers.map(({ student_id, student_doubt, notes }) => [student_id, student_doubt, notes])).toEqual([
    [null, 'No name of the class was found on it.', ['Page 1 is missing.']],
    [students[1], 'The page with the name may belong to another paper.', []],
  ])
  const named = papers[1]?.pages[0]
  expect(named).toMatchObject({ page: 4, doubts: ['This page may belong to the paper before or after this one.'] })
})
