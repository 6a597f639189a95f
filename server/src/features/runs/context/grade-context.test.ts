import sharp from 'sharp'
import { expect, it } from 'vitest'
import { AssignmentModel } from '../../../records/assignments/assignment.model.ts'
import { ReadingModel } from '../../../records/submissions/reading.model.ts'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'
import {
  buildAssignment,
  buildPerson,
  correctAnswers,
  drawPaper,
  gradeAssignment,
} from '../../../testing/build-course.ts'
import { useTestApi } from '../../../testing/server.ts'
import { buildGradeContext } from './grade-context.ts'

const { api, server } = useTestApi()

it('gives a grader pages on which the row of the name is covered, and nothing else', async () => {
  const instructor = await buildPerson('instructor')
  const { assignmentId, submissionIds } = await buildAssignment(api, { instructor }, [
    { name: 'one.pdf', bytes: await drawPaper({ full_name: 'Zelda Quist' }, correctAnswers) },
  ])
  await gradeAssignment(api, instructor, assignmentId)
  const assignment = await AssignmentModel.findById(assignmentId).lean().orFail()
  const submission = await SubmissionModel.findById(submissionIds[0]).lean().orFail()
  const run = { class_key: null }
  const signal = new AbortController().signal
  const context = await buildGradeContext(run, assignment, submission, server.running.services, signal)
  const picture = await context.pagePicture?.(1)
  if (!picture?.points) throw new Error('a picture')
  const { data, info } = await sharp(picture.bytes).greyscale().raw().toBuffer({ resolveWithObject: true })
  const scale = info.height / picture.points.height
  const reading = await ReadingModel.findById(submission.file.hash).lean().orFail()
  const darkOf = (words: RegExp) => {
    const box = reading.paper.pages[0]?.lines.find(({ text }) => words.test(text))?.box
    if (!box) throw new Error(`no line ${words}`)
    let dark = 0
    for (let y = Math.floor(box.y * scale); y < (box.y + box.height) * scale; y += 1)
      for (let x = 0; x < info.width; x += 1) if ((data[y * info.width + x] ?? 0) < 100) dark += 1
    return dark
  }
  expect(darkOf(/Zelda Quist/)).toBe(0)
  expect(darkOf(/Why does ice float/)).toBeGreaterThan(100)
})
