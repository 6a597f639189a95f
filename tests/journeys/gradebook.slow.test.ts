import { publishAssignment, updateAssignment } from '@assay/shared/assignments.ts'
import { createCourse } from '@assay/shared/courses.ts'
import { getStudentCourse } from '@assay/shared/students.ts'
import { parse } from 'csv-parse/sync'
import { expect, it } from 'vitest'
import { buildGradedPapers, correctAnswers, decideGrade } from '../../server/src/testing/build-course.ts'
import { desktop, phone } from './support/browser.ts'
import { enrol, looksRight, registerPerson, useProduct } from './support/product.ts'

const product = useProduct()

/** In percent; Dan has no paper in the last. */
const worked = [
  ['ada', 'Ada Byron', 92, 97, 33.3],
  ['dan', 'Dan Abel', 74, 61.5, null],
] as const

it('shows a course’s gradebook, whose totals its file and its students have too, drops the lowest, and opens a paper', async () => {
  const { api } = product
  const instructor = await registerPerson(api, 'instructor', 'grace')
  const teacher = api.as(instructor)
  const courseId = (await teacher.send(createCourse, { body: { name: 'Physics 101' } })).body.id
  const students = await Promise.all(worked.map(([name, full]) => registerPerson(api, 'student', name, full)))
  for (const student of students) await enrol(product, courseId, student)
  for (const quiz of [2, 3, 4] as const) {
    const graded = students.flatMap(({ username }, i) => {
      const score = worked[i]?.[quiz] ?? null
      return score === null ? [] : [{ file: username, full_name: '', answers: correctAnswers, score }]
    })
    const { params, submissionIds } = await buildGradedPapers(api, { instructor, courseId }, graded)
    for (const [i, submissionId] of submissionIds.entries())
      await decideGrade(teacher, { ...params, submissionId }, { overall_score: graded[i]?.score ?? 0 })
    await teacher.send(publishAssignment, { params })
    await teacher.send(updateAssignment, {
      params,
      body: { name: `Second midterm on forces and motion, part ${quiz}` },
    })
  }

  const { page } = await product.openAs(instructor)
  await page.goto(`/courses/${courseId}`)
  await page.getByRole('link', { name: 'Gradebook' }).click()
  const totals = page.locator('[role=gridcell][aria-colindex="2"]')
  const shown = async () => (await totals.allInnerTexts()).map((text) => text.split(/\s/)[0])
  // Abel before Byron: (74 + 61.5) / 2, and (92 + 97 + 33.3) / 3.
  await expect.poll(shown).toEqual(['67.8', '74.1'])

  const exported = async () => {
    await page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export CSV' }).click(),
    ])
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(Buffer.from(chunk))
    const rows: string[][] = parse(Buffer.concat(chunks), { bom: true })
    return rows.slice(1).map((cells) => cells.at(-2))
  }
  const seen = async () => {
    const own = students.toReversed().map((student) => api.as(student).send(getStudentCourse, { params: { courseId } }))
    return (await Promise.all(own)).map(({ body }) => body.average?.score.toFixed(1))
  }
  expect(await exported()).toEqual(await shown())
  expect(await seen()).toEqual(await shown())

  await page.getByRole('button', { name: 'What counts' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Drop the lowest grades of each student').fill('1')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.poll(shown).toEqual(['74.0', '94.5'])
  expect((await exported()).map((total) => Number(total))).toEqual([74, 94.5])
  expect(await seen()).toEqual(await shown())
  await page.getByRole('link', { name: /33\.3.*dropped as one of the lowest/ }).waitFor()

  await page.getByRole('button', { name: 'Student', exact: true }).focus()
  for (const key of ['ArrowDown', 'End']) await page.keyboard.press(key)
  expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('missing')
  for (const [colorScheme, viewport] of [
    ['light', desktop],
    ['dark', desktop],
    ['dark', phone],
    ['light', phone],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(viewport)
    await looksRight(page, `gradebook-${viewport.width}-${colorScheme}`)
    const heads = page.locator('[role=columnheader] button span')
    const cut = await heads.evaluateAll((all) =>
      all.filter((one) => one.scrollHeight > one.clientHeight).map((one) => one.textContent),
    )
    expect(cut).toEqual([])
  }
  for (const key of ['ArrowLeft', 'Enter']) await page.keyboard.press(key)
  await page.waitForURL(/\/assignments\/\d+\/submissions\/\d+$/)
  expect(product.browserErrors).toEqual([])
})
