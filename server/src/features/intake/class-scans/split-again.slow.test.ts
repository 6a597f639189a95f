import { expect, it } from 'vitest'
import { drawClassStack } from '../../../../../tests/papers/class-stack.ts'
import { ClassScanPageModel } from '../../../records/submissions/class-scan.model.ts'
import { buildScannedClass, keyOf, names, placesOf, studentsOf } from '../../../testing/scanned-class.ts'
import { useTestApi } from '../../../testing/server.ts'

const { api } = useTestApi()

it('reads the names at new tops when a scan is split again, and none twice', async () => {
  const { students, scanned } = await buildScannedClass(api)
  const [henrietta, oluwaseun] = students
  const scan = await scanned(await drawClassStack({ students: names, seed: 4, dpi: 100 }), 8)
  expect(studentsOf(await scan.open())).toEqual([henrietta])
  const earlier = { kind: 'unlabelled' as const, text: 'as read before', page: 1, ocr: true }
  await ClassScanPageModel.updateOne({ scan_id: scan.ids.scanId, page: 1 }, { $push: { hints: earlier } })
  const split = await scan.split('page_count', 4)
  expect(split.body).toMatchObject({ state: 'analysing', progress: { step: 'names', total: 1 } })
  const after = await scan.ready()
  expect(placesOf(after)).toEqual([
    [1, 2, 3, 4],
    [5, 6, 7, 8],
  ])
  expect(studentsOf(after)).toEqual([henrietta, oluwaseun])
  expect(after).toMatchObject({ split: { by: 'page_count', pages_per_paper: 4 }, names_unread: 0 })
  expect(await scan.hintsOf(1)).toContain('as read before')
  const undone = await scan.undo()
  expect(placesOf(undone)).toEqual([[1, 2, 3, 4, 5, 6, 7, 8]])
  const cut = await scan.edit({ kind: 'split', page: keyOf(undone, 5) })
  expect([cut.state, ...studentsOf(cut)]).toEqual(['ready', henrietta, oluwaseun])
})

it('says of a paper begun by hand that its name was not read, and reads it when asked to', async () => {
  const { students, scanned } = await buildScannedClass(api)
  const [henrietta, oluwaseun] = students
  const scan = await scanned(await drawClassStack({ students: names, seed: 4, dpi: 100 }), 8)
  const cut = await scan.edit({ kind: 'split', page: keyOf(await scan.open(), 5) })
  expect(cut.papers[1]).toMatchObject({ student_id: null, student_doubt: 'The name on it was not read.' })
  expect(cut).toMatchObject({ state: 'ready', names_unread: 1 })
  await scan.edit({ kind: 'check', paper: cut.papers[1]?.key ?? '', checked: true })
  expect((await scan.resume()).body.state).toBe('analysing')
  const read = await scan.ready()
  expect(studentsOf(read)).toEqual([henrietta, oluwaseun])
  // It was ticked before anybody knew whose it is.
  expect(read.papers[1]?.checked).toBe(false)
  expect(read.names_unread).toBe(0)
  expect(read.revision).toBeGreaterThan(cut.revision)
  expect((await scan.resume()).body.state).toBe('ready')
  const moved = await scan.edit({ kind: 'move', pages: [keyOf(read, 5)], paper: null, before: null })
  expect(placesOf(moved)).toEqual([[1, 2, 3, 4], [5], [6, 7, 8]])
  expect(studentsOf(moved)).toEqual([henrietta, oluwaseun, null])
})

it('keeps the papers when the reading of their names is stopped', async () => {
  const { scanned } = await buildScannedClass(api)
  const scan = await scanned(await drawClassStack({ students: names, seed: 4, dpi: 100 }), 8)
  expect((await scan.split('page_count', 2)).body.state).toBe('analysing')
  expect((await scan.stop()).body.state).toBe('ready')
  const stopped = await scan.open()
  expect(placesOf(stopped)).toEqual([
    [1, 2],
    [3, 4],
    [5, 6],
    [7, 8],
  ])
  expect(placesOf(await scan.undo())).toEqual([[1, 2, 3, 4, 5, 6, 7, 8]])
})

it('does not split at sheets that a scan does not have', async () => {
  const { scanned } = await buildScannedClass(api)
  const scan = await scanned(await drawClassStack({ students: names, seed: 4, dpi: 100 }), 4)
  const before = await scan.open()
  expect(await scan.split('separators')).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('No separator sheet') },
  })
  expect(await scan.split('empty_pages')).toMatchObject({ status: 400 })
  expect(await scan.open()).toEqual(before)
})
