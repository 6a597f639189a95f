import { createAssignment } from '@assay/shared/assignments.ts'
import { generateRubric, getRubric, listRubricVersions } from '@assay/shared/rubric-endpoints.ts'
import { expect, it } from 'vitest'
import { quizFiles } from '../../testing/build-course.ts'
import { useLlmGradedProcess } from '../../testing/llm-graded-process.ts'

/** A provider that knows no idempotency keys: what is asked twice is paid twice. */
const product = useLlmGradedProcess({ idempotency: false })

it('goes on with a rubric after a kill, and pays for no answer twice', async () => {
  const { fake } = product
  const teacher = product.api.as(await product.register('maker'))
  const { blank, key } = await quizFiles()
  const created = await teacher.send(createAssignment, {
    body: { name: 'Killed' },
    files: { blank_pdf: [blank], answer_key_pdf: [key] },
  })
  const params = { assignmentId: created.body.id }
  const loadRubric = async () => (await teacher.send(getRubric, { params })).body
  product.stallRetries('Water and heat')
  await teacher.send(generateRubric, { params, body: { by: 'model' } })
  await expect.poll(() => product.countStalled()).toBe(1)
  expect((await loadRubric()).generation).toMatchObject({
    state: 'running',
    message: expect.stringMatching(/fake-1 is creating the rubric/),
  })

  expect(await product.killAndRestart()).toBe(1)
  await expect.poll(async () => (await loadRubric()).generation).toBeNull()
  expect(await loadRubric()).toMatchObject({ version: 1, made: { made_by: 'model', points: 20 } })
  expect((await teacher.send(listRubricVersions, { params })).body).toHaveLength(1)
  expect(product.repeatedRequests()).toEqual([])
  // The bad answer, the question that hung, and that one again.
  expect(fake.records.counts()).toEqual({ received: 3, answered: 2, billed: 2 })
})
