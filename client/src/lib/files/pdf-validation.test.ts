import { MAX_PDF_BYTES } from '@assay/shared/rules/limits.ts'
import { expect, it } from 'vitest'
import { partitionPdfs, rejectionMessage, sentFractions } from './pdf-validation.ts'

function fileOf(name: string, size: number, type = 'application/pdf') {
  const file = new File(['x'], name, { type })
  Object.defineProperty(file, 'size', { value: size })
  return file
}

it('choosing files names every file it refuses, with the reason', () => {
  const { taken, refused } = partitionPdfs([
    fileOf('ada.pdf', 1000),
    fileOf('notes.txt', 1000, 'text/plain'),
    fileOf('huge.pdf', MAX_PDF_BYTES + 1),
    fileOf('edge.pdf', MAX_PDF_BYTES),
  ])
  expect(taken.map((file) => file.name)).toEqual(['ada.pdf', 'edge.pdf'])
  expect(rejectionMessage(refused)).toBe(
    'Some files were rejected: notes.txt (Only PDF files are allowed), huge.pdf (File size must be less than 50MB)',
  )
})

it('choosing files refuses a name that cannot be sent', () => {
  expect(rejectionMessage(partitionPdfs([fileOf('ada\u0000.pdf', 1)]).refused)).toContain('Rename the file')
})

it('choosing files takes no more at once than the server does', () => {
  expect(partitionPdfs([fileOf('a.pdf', 1), fileOf('b.pdf', 1)], 499).refused.map(({ name }) => name)).toEqual([
    'b.pdf',
  ])
})

it('shares the progress of the whole among the files in their order', () => {
  expect(sentFractions([100, 300], 0, 400)).toEqual([0, 0])
  expect(sentFractions([100, 300], 250, 400)).toEqual([1, 0.5])
  expect(sentFractions([100, 300], 404, 404)).toEqual([1, 1])
})
