import { getSubmissionPage } from '@assay/shared/submissions.ts'
import { expect, it, vi } from 'vitest'
import { PaperError } from '../../../papers/paper-error.ts'
import { ReadingModel } from '../../../records/submissions/reading.model.ts'
import { buildAssignment, buildCourse, correctAnswers, drawPaper } from '../../../testing/build-course.ts'
import { useTestApi } from '../../../testing/server.ts'
import { readStoredPaper } from './paper-reading.service.ts'

const { api, server } = useTestApi()

it('fails with a message when the text does not fit into a database document', async () => {
  const line = {
    text: '字'.repeat(100),
    box: { x: 1.25, y: 2.25, width: 3.25, height: 4.25 },
    source: 'text' as const,
    confidence: 1,
  }
  const paper = { pages: [{ number: 1, width: 595, height: 842, lines: Array(45_000).fill(line) }] }
  const { services } = server.running
  const papers = { ...services.papers, read: async () => paper }
  const hash = 'a'.repeat(64)
  await expect(readStoredPaper(hash, { ...services, papers })).rejects.toMatchObject({
    name: 'PaperError',
    code: 'too_much_text',
  })
  expect(await ReadingModel.exists({ _id: hash })).toBeNull()
})

it('answers 404 for the image of a missing page, and names other problems', async () => {
  const { instructor } = await buildCourse(api)
  const { assignmentId, submissionIds } = await buildAssignment(api, { instructor }, [
    { name: 'ada.pdf', bytes: await drawPaper({ full_name: 'Ada' }, correctAnswers) },
  ])
  const params = { assignmentId, submissionId: submissionIds[0] ?? 0, page: 9 }
  const look = (page: number) => api.as(instructor).send(getSubmissionPage, { params: { ...params, page } })
  expect(await look(9)).toMatchObject({
    status: 404,
    body: { message: expect.stringMatching(/Page 9 does not exist/) },
  })
  const render = vi
    .spyOn(server.running.services.papers, 'renderPage')
    .mockRejectedValueOnce(new PaperError('too_long'))
  expect(await look(1)).toMatchObject({ status: 400, body: { message: expect.stringMatching(/took too long/) } })
  render.mockRestore()
  expect((await look(1)).status).toBe(200)
})
