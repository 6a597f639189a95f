import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { publishAssignment } from '@assay/shared/assignments.ts'
import { createCourse } from '@assay/shared/courses.ts'
import { getOwnGradedPaper } from '@assay/shared/graded-papers.ts'
import { getSubmission } from '@assay/shared/submissions.ts'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { CDPSession, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { buildGradedPapers, correctAnswers } from '../../server/src/testing/build-course.ts'
import { phone } from './support/browser.ts'
import { enrol, looksRight, registerPerson, useProduct } from './support/product.ts'

const product = useProduct()
const run = promisify(execFile)
type Where = readonly [x: number, y: number]

async function placesOn(page: Page) {
  const box = await page.getByTestId('pen-1').boundingBox()
  if (!box) throw new Error('the pen is out')
  return (x: number, y: number): Where => [box.x + x * box.width, box.y + y * box.height]
}

async function stylus(device: CDPSession, path: Where[]) {
  const send = (type: 'mousePressed' | 'mouseMoved' | 'mouseReleased', [x, y]: Where, force: number) =>
    device.send('Input.dispatchMouseEvent', { type, x, y, force, button: 'left', buttons: 1, pointerType: 'pen' })
  const [first = [0, 0] as const, ...rest] = path
  await send('mousePressed', first, 0.3)
  for (const [i, point] of rest.entries()) await send('mouseMoved', point, 0.3 + i / 10)
  await send('mouseReleased', rest.at(-1) ?? first, 0)
}

async function finger(device: CDPSession, ...paths: Where[][]) {
  const points = (step: number) => paths.map((path, id) => ({ id, x: path[step]?.[0] ?? 0, y: path[step]?.[1] ?? 0 }))
  await device.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: points(0) })
  for (let step = 1; step < (paths[0]?.length ?? 0); step += 1)
    await device.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: points(step) })
  await device.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

it('a paper is drawn on by mouse, finger and stylus, seen by another grader and its student, and in the PDF', async () => {
  const { api } = product
  const teacher = await registerPerson(api, 'instructor', 'pia', 'Pia Pen')
  const student = await registerPerson(api, 'student', 'sid', 'Sid Smith')
  const courseId = (await api.as(teacher).send(createCourse, { body: { name: 'Pens 1' } })).body.id
  await enrol(product, courseId, student)
  const papers = [{ file: student.username, full_name: 'Sid Smith', answers: correctAnswers }]
  const quiz = await buildGradedPapers(api, { instructor: teacher, courseId }, papers)
  const { assignmentId } = quiz
  const [submissionId = 0] = quiz.submissionIds
  const kinds = async () => {
    const { body } = await api.as(teacher).send(getSubmission, { params: { assignmentId, submissionId } })
    return (body.pen_marks ?? []).map(({ kind }) => kind)
  }
  const address = `/assignments/${assignmentId}/submissions/${submissionId}`

  const watching = await product.openAs(teacher)
  await watching.page.goto(address)
  await watching.page.getByRole('button', { name: 'Draw on the paper' }).waitFor()

  const { page } = await product.openAs(teacher)
  await page.goto(address)
  await page.getByRole('button', { name: 'Draw on the paper' }).click()
  await page.getByRole('toolbar', { name: 'Pen' }).waitFor()
  let at = await placesOn(page)
  await page.mouse.move(...at(0.2, 0.2))
  await page.mouse.down()
  await page.mouse.move(...at(0.3, 0.22), { steps: 5 })
  await page.mouse.move(...at(0.4, 0.2), { steps: 5 })
  await page.mouse.up()
  await page.keyboard.press('m')
  await page.mouse.move(...at(0.2, 0.3))
  await page.mouse.down()
  await page.mouse.move(...at(0.5, 0.3), { steps: 3 })
  await page.mouse.up()
  await page.keyboard.press('w')
  await page.mouse.click(...at(0.5, 0.12))
  await page.keyboard.type('Well said: $x^2$')
  await page.keyboard.press('Enter')
  await page.keyboard.press('v')
  await page.mouse.click(...at(0.1, 0.3))
  await expect.poll(kinds).toEqual(['ink', 'highlight', 'text', 'tick'])
  await page.keyboard.press('Escape')
  await looksRight(page, 'pen')
  await watching.page.getByRole('img', { name: 'Tick on page 1 by Pia Pen' }).waitFor()
  await page.keyboard.press('u')
  await watching.page.getByRole('img', { name: /^Tick/ }).waitFor({ state: 'detached' })

  // So low that the paper has to be scrolled.
  const viewport = { ...phone, height: 600 }
  const small = await product.openAs(teacher, { viewport, hasTouch: true, isMobile: true })
  await small.page.goto(address)
  await small.page.getByRole('button', { name: 'Draw on the paper' }).tap()
  at = await placesOn(small.page)
  const device = await small.context.newCDPSession(small.page)
  const scrolled = () => small.page.getByRole('region', { name: 'The paper' }).evaluate((pane) => pane.scrollTop)
  await finger(device, [at(0.5, 0.5), at(0.6, 0.5), at(0.7, 0.5)])
  await expect.poll(kinds).toEqual(['ink', 'highlight', 'text', 'ink'])
  const before = await scrolled()
  await finger(device, [at(0.3, 0.6), at(0.3, 0.5), at(0.3, 0.4)], [at(0.6, 0.6), at(0.6, 0.5), at(0.6, 0.4)])
  await expect.poll(scrolled).toBeGreaterThan(before)
  at = await placesOn(small.page)
  await stylus(device, [at(0.5, 0.7), at(0.6, 0.72), at(0.7, 0.7)])
  await expect.poll(kinds).toEqual(['ink', 'highlight', 'text', 'ink', 'ink'])
  await looksRight(small.page, 'pen-phone')

  await page.goto(`/assignments/${assignmentId}/questions/q1`)
  await page.locator('[role=option][data-open]').waitFor()
  await page.keyboard.press('Shift+V')
  await page.getByText('Tick on the page').waitFor()
  expect(await kinds()).toEqual(['ink', 'highlight', 'text', 'ink', 'ink', 'tick'])

  await api.as(teacher).send(publishAssignment, { params: { assignmentId } })
  const reader = await product.openAs(student)
  await reader.page.goto(`/student/assignments/${assignmentId}`)
  await reader.page.getByRole('img', { name: 'Text “Well said: $x^2$” on page 1' }).waitFor()
  expect(await reader.page.getByRole('button', { name: 'Draw on the paper' }).count()).toBe(0)
  await looksRight(reader.page, 'pen-student')

  const { bytes } = await api.as(student).send(getOwnGradedPaper, { params: { assignmentId } })
  const file = await product.file('returned.pdf', Buffer.from(bytes))
  const opening = getDocument({ data: new Uint8Array(bytes) })
  const annotations = await (await (await opening.promise).getPage(2)).getAnnotations()
  expect(annotations.map(({ subtype }) => subtype)).toEqual(['Ink', 'Highlight', 'FreeText', 'Ink', 'Ink', 'Stamp'])
  await opening.destroy()
  const { stdout } = await run('pdftoppm', ['-r', '72', '-f', '2', '-l', '2', file], {
    encoding: 'buffer',
    maxBuffer: 1e8,
  })
  expect(redPixels(stdout)).toBeGreaterThan(200)
  expect(product.browserErrors).toEqual([])
})

/** Pixels with the red of a pen, in a PPM picture. */
function redPixels(ppm: Buffer): number {
  // Three lines in front: kind, size and depth.
  const rest = ppm.indexOf('\n255\n') + 5
  let count = 0
  for (let i = rest; i + 2 < ppm.length; i += 3)
    if ((ppm[i] ?? 0) > 150 && (ppm[i + 1] ?? 255) < 80 && (ppm[i + 2] ?? 255) < 80) count += 1
  return count
}
