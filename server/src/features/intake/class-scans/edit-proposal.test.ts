import type { ClassScanEdit } from '@assay/shared/class-scans.ts'
import { expect, it } from 'vitest'
import type { ProposalDoc } from '../../../records/submissions/class-scan.model.ts'
import { editProposal } from './edit-proposal.ts'
import { newPaper } from './propose-papers.ts'

const OLD = 'It was printed before the blank was replaced, so its questions may lie elsewhere.'
const page = (number: number, blank_page: number, doubts: string[] = []) => ({
  ...{ key: `page-${number}`, page: number, turn: 0 as const, blank_page, doubts },
})
const proposal: ProposalDoc = {
  split: { by: 'blank', pages_per_paper: null },
  papers: [
    { ...newPaper([page(1, 1), page(2, 4, ['odd'])], ['Pages 2 and 3 are missing.', OLD]), key: 'one' },
    { ...newPaper([page(3, 2, ['uncoded'])], ['This paper has 1 of 4 pages.']), key: 'two' },
  ],
  dropped: [page(8, 1, ['other']), page(9, 1, ['other'])],
}
const move = (key: string, paper: string, before: string | null): ClassScanEdit => ({
  ...{ kind: 'move', pages: [key], paper, before },
})

it('settles nothing where a page is put where it is', () => {
  expect(editProposal(proposal, move('page-2', 'one', null))).toEqual(proposal)
  expect(editProposal(proposal, move('page-1', 'one', 'page-2'))).toEqual(proposal)
  expect(editProposal(proposal, { kind: 'drop', pages: ['page-9'] })).toEqual(proposal)
})

it('keeps what is said of a paper when its pages are put in another order', () => {
  const { papers } = editProposal(proposal, move('page-2', 'one', 'page-1'))
  expect(papers[0]?.pages.map((one) => [one.page, ...one.doubts])).toEqual([[2], [1]])
  expect(papers[0]?.notes).toEqual(proposal.papers[0]?.notes)
})

it('takes back what a page settles and no more', () => {
  const once = editProposal(proposal, move('page-3', 'one', 'page-2'))
  expect(once.papers.map(({ notes }) => notes)).toEqual([['Page 3 is missing.', OLD]])
  const papers = [...once.papers, { ...newPaper([page(4, 3)]), key: 'three' }]
  expect(editProposal({ ...once, papers }, move('page-4', 'one', 'page-2')).papers.map(({ notes }) => notes)).toEqual([
    [OLD],
  ])
})

it('takes the student from a paper whose page they were read on has left it, unless a teacher chose them', () => {
  const papers = proposal.papers.map((paper, i) => ({
    ...paper,
    ...{ student_id: 7, student_by: i === 0 ? ('match' as const) : ('teacher' as const) },
  }))
  const read = { ...proposal, papers }
  expect(editProposal(read, move('page-1', 'two', null)).papers.map(({ student_id }) => student_id)).toEqual([null, 7])
  expect(editProposal(read, move('page-1', 'one', null)).papers.map(({ student_id }) => student_id)).toEqual([7, 7])
  const taken = editProposal({ ...read, papers: papers.toReversed() }, move('page-2', 'two', 'page-3'))
  expect(taken.papers.map(({ student_id }) => student_id)).toEqual([7, 7])
})

it('takes the tick from a paper that loses the student it was for', () => {
  const [one, two] = proposal.papers.map((paper) => ({
    ...paper,
    ...{ student_id: 7, student_by: 'match' as const, checked: true },
  }))
  if (!one || !two) throw new Error('written above')
  const edited = editProposal({ ...proposal, papers: [one, two] }, move('page-1', 'two', null))
  expect(edited.papers.map(({ checked }) => checked)).toEqual([false, true])
})

it('forgets the PDF made of a paper whose pages have changed, are in another order or lie otherwise', () => {
  const file = { hash: 'a'.repeat(64), size: 9 }
  const made = { ...proposal, papers: proposal.papers.map((paper) => ({ ...paper, file })) }
  const left = (edit: ClassScanEdit) => editProposal(made, edit).papers.map((paper) => paper.file !== undefined)
  expect(left({ kind: 'turn', pages: ['page-2'], degrees: 90 })).toEqual([false, true])
  expect(left(move('page-2', 'one', 'page-1'))).toEqual([false, true])
  expect(left({ kind: 'split', page: 'page-2' })).toEqual([false, false, true])
  expect(left({ kind: 'check', paper: 'one', checked: true })).toEqual([true, true])
})
