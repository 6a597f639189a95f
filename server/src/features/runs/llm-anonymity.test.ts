import { overrideGrade } from '@assay/shared/grades.ts'
import { getSubmission } from '@assay/shared/submissions.ts'
import { PDFDocument, StandardFonts } from 'pdf-lib'
import { beforeAll, expect, it } from 'vitest'
import { AssignmentModel } from '../../records/assignments/assignment.model.ts'
import { EnrollmentModel } from '../../records/courses/course.model.ts'
import { LlmAnswerModel, LlmCallModel } from '../../records/llm/llm-call.model.ts'
import {
  buildAssignment,
  buildCourse,
  buildPerson,
  buildStudent,
  drawPaper,
  gradeAssignment,
} from '../../testing/build-course.ts'
import { chooseFakeLlm, useFakeLlm } from '../../testing/llm-settings.ts'
import { useTestApi } from '../../testing/server.ts'

const { api } = useTestApi({ AI_PRIVATE_ADDRESSES: 'on' })
const fake = useFakeLlm()
const KEY = 'sk-hush-hush-4711-0815'
beforeAll(async () => chooseFakeLlm(api.as(await buildPerson('admin')), fake, { pictures: false, api_key: KEY }))

const sent = () => JSON.stringify(fake.requests.map(({ asked }) => [asked.system, asked.texts, asked.pictures.length]))

/** In every place of a file that is no answer. */
async function signedAllOver(bytes: Buffer, name: string): Promise<Buffer> {
  const doc = await PDFDocument.load(bytes)
  doc.setTitle(name)
  doc.setAuthor(name)
  doc.setSubject(name)
  doc.setKeywords([name])
  const font = await doc.embedFont(StandardFonts.Helvetica)
  for (const page of doc.getPages()) {
    page.drawText(`${name} - Water and heat`, { x: 60, y: page.getHeight() - 22, size: 9, font })
    page.drawText(`Handed in by ${name}`, { x: 60, y: 20, size: 9, font })
  }
  return Buffer.from(await doc.save())
}

it('sends a model no names: not of writers, not of people they mention, wherever the name is', async () => {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const ada = await buildStudent(courseId, {
    full_name: 'Áda Lovelace',
    username: 'alovelace7',
    email: 'ada.l@pupils.example',
    student_number: '4711123',
  })
  await EnrollmentModel.updateOne({ user_id: ada.id }, { $set: { sis_user_id: 'S9988776' } })
  await buildStudent(courseId, { full_name: 'Maria Okonkwo', username: 'mokonkwo3', student_number: '88123456' })
  await buildStudent(courseId, { full_name: 'Mark Young', username: 'mark.young' })
  const mine =
    'Ada Lovelace (A. Lovelace, LOVELACE; ada.l@pupils.example, 4711 123, S9988776, alovelace7) says that ice is less dense; Mark the young line.'
  const theirs =
    'Maria Okonkwo and Mark Young, M. Okonkwo, mokonkwo3 and mark.young say it is light, Zoe Quist thinks. By Zoe.'
  const { assignmentId, submissionIds } = await buildAssignment(api, { instructor, courseId }, [
    {
      name: 'alovelace7.pdf',
      bytes: await signedAllOver(await drawPaper({ full_name: 'Ada Lovelace' }, [mine, 'B', '144']), 'Ada Lovelace'),
    },
    { name: 'Zoe_Quist.pdf', bytes: await drawPaper({ full_name: '' }, [theirs, 'A', '12']) },
    { name: 'two.pdf', bytes: await drawPaper({ full_name: 'Mark Young' }, ['Because it is light.', 'B', '144']) },
    { name: 'other.pdf', bytes: await drawPaper({ full_name: '' }, ['Ice is less dense, unsigned.', 'B', '144']) },
  ])
  await gradeAssignment(api, instructor, assignmentId)
  expect(fake.requests.length).toBeGreaterThan(2)
  expect(sent()).toMatch(/Mark the young line/)
  const [first = 0, zoe = 0, last = 0, unsigned = 0] = submissionIds
  const teacher = api.as(instructor)
  for (const [submissionId, score] of [
    [first, 7],
    [zoe, 2],
    [unsigned, 8],
  ] as const) {
    const { grade } = (await teacher.send(getSubmission, { params: { assignmentId, submissionId } })).body
    const criterion_id = grade?.criterion_grades_collection[0]?.criterion_id ?? ''
    const feedback = 'Maria Okonkwo told you, Zoe Quist and Ada Lovelace'
    const decided = await teacher.send(overrideGrade, {
      params: { assignmentId, submissionId, gradeId: grade?.id ?? 0 },
      body: { overall_score: null, human_review_notes: feedback, criteria: [{ criterion_id, score }] },
    })
    expect(decided.status).toBe(200)
  }
  await AssignmentModel.updateOne(
    { _id: assignmentId },
    { $set: { 'rubric.questions.0.notes': 'Be kind to Maria Okonkwo (88123456).' } },
  )
  await gradeAssignment(api, instructor, assignmentId, { submission_ids: [last], force: true })
  expect(sent()).toMatch(/Be kind to \[STUDENT\]/)
  // Whose the unsigned one is, nobody knows: it is an example to nobody.
  const asExamples = fake.requests.filter(({ asked }) => /What the teacher gave/.test(asked.texts.join()))
  expect(asExamples.length).toBeGreaterThan(0)
  const examples = JSON.stringify(asExamples.map(({ asked }) => asked.texts))
  expect(examples).toContain('ice is less dense; Mark the young line')
  expect(examples).not.toContain('unsigned')
  expect(examples).not.toContain('it is light, ')

  const telling =
    /[ÁA]da\b|Lovelace|pupils\.example|4711 ?123|S9988776|Okonkwo|88123456|Mark.{1,3}Young|mark\.young|\bZoe\b|Quist/i
  expect(sent().match(telling)).toBeNull()
  expect(sent()).not.toContain(KEY)
  const stored = JSON.stringify(
    [await LlmCallModel.find().lean(), await LlmAnswerModel.find().lean()],
    // Letters of hashes and ids may read as any name.
    (key, value) => (['_id', 'identity', 'process', 'inputs'].includes(key) ? undefined : value),
  )
  expect(stored.match(telling)).toBeNull()
  expect(stored).not.toContain(KEY)
})
