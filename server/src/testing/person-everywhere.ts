import { randomUUID } from 'node:crypto'
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { publishAssignment, setExtension, updateAssignment } from '@assay/shared/assignments.ts'
import { addPhoto, handInPhotos } from '@assay/shared/photo-drafts.ts'
import { getQuestion } from '@assay/shared/questions.ts'
import { requestRegrade } from '@assay/shared/regrades.ts'
import { handInPaper } from '@assay/shared/students.ts'
import { heicPicture } from '../../../tests/papers/heic-picture.ts'
import { nextIds } from '../lib/database/database.ts'
import { UserModel } from '../records/people/user.model.ts'
import { filesOfDraft, type PhotoDraftDoc, PhotoDraftModel } from '../records/submissions/photo-draft.model.ts'
import { SubmissionModel } from '../records/submissions/submission.model.ts'
import type { RunningServer } from '../start.ts'
import {
  buildAssignment,
  buildCourse,
  buildPerson,
  decideGrade,
  drawPaper,
  enrol,
  gradeAssignment,
} from './build-course.ts'
import { everywhere } from './person-everywhere-words.ts'
import { storeRecordsOfPerson } from './records-of-person.ts'
import type { Api, Person } from './server.ts'

export async function buildPersonEverywhere(api: Api, { services }: RunningServer) {
  // So that no other thing has a number of theirs.
  await nextIds('users', 770_000)
  await nextIds('submissions', 550_000)
  const { instructor: owner, students, courseId } = await buildCourse(api, { students: 1 })
  const [classmate] = students
  if (!classmate) throw new Error('a classmate')
  const { full_name, username, email, student_number } = everywhere
  const person = await buildPerson('student', { full_name, username, email, student_number })
  await UserModel.updateOne(
    { _id: person.id },
    {
      $set: {
        institution: everywhere.institution,
        notifications: { email: true, grades: true, courses: true, reminders: true },
      },
    },
  )
  await enrol(courseId, person)
  const { assignmentId } = await buildAssignment(api, { instructor: owner, courseId }, [])
  const params = { assignmentId }
  const teacher = api.as(owner)
  await teacher.send(publishAssignment, { params })
  const handIn = async (who: Person, name: string, phrase: string) => {
    const file = [{ name: `${name}.pdf`, bytes: await drawPaper({ full_name: name }, [phrase, 'B', '144']) }]
    const reply = await api.as(who).send(handInPaper, { params, body: {}, files: { file } })
    if (reply.status !== 201) throw new Error(`not handed in: ${reply.text}`)
  }
  const photograph = async () => {
    const sent = {
      params: { ...params, key: randomUUID() },
      files: { photo: [{ name: `${full_name}.heic`, bytes: heicPicture() }] },
    }
    const { status, text, body } = await api.as(person).send(addPhoto, sent)
    if (status !== 200) throw new Error(`no photo: ${text}`)
    return { draft_id: body.id ?? '', revision: body.revision }
  }
  await api.as(person).send(handInPhotos, { params, body: await photograph() })
  await photograph()
  await handIn(person, full_name, everywhere.first_phrase)
  await handIn(person, full_name, everywhere.phrase)
  await handIn(classmate, 'Cleo Marchbanks', 'Ice is lighter than water.')
  await teacher.send(updateAssignment, { params, body: { due_at: '2099-01-01T00:00:00Z' } })
  await teacher.send(setExtension, {
    params: { ...params, studentId: person.id },
    body: { due_at: '2099-02-01T00:00:00Z' },
  })
  await gradeAssignment(api, owner, assignmentId)
  const papers = await SubmissionModel.find({ assignment_id: assignmentId }).lean()
  const own = papers.find(({ student_id }) => student_id === person.id)
  const other = papers.find(({ student_id }) => student_id === classmate.id)
  if (!own || !other) throw new Error('two papers')
  const ids = { assignmentId, submissionId: own._id }
  const decision = { overall_score: 90, human_review_notes: 'Well done, Zebulon Quackenbush!' }
  const { body: grade } = await decideGrade(teacher, ids, decision)
  await teacher.send(publishAssignment, { params })
  await api.as(person).send(requestRegrade, { params, body: { reason: everywhere.asked } })
  const questionId = grade.criterion_grades_collection[0]?.question_id ?? ''
  await teacher.send(getQuestion, { params: { ...params, questionId } })
  await storeRecordsOfPerson({ person, owner, courseId, assignmentId, questionId, own, other, hash: own.file.hash })
  const draft = await PhotoDraftModel.findOne({ user_id: person.id }).lean<PhotoDraftDoc>()
  const files = [own.file, ...(own.attempts ?? []).map(({ file }) => file)]
  const hashes = [
    ...files.flatMap(({ hash, photos = [] }) => [hash, ...photos.flatMap((photo) => [photo.hash, photo.view.hash])]),
    ...(draft ? filesOfDraft(draft) : []),
  ]
  const longAgo = new Date(Date.now() - 3 * 60 * 60 * 1000)
  for (const hash of hashes) await utimes(await services.files.localPath(hash), longAgo, longAgo)
  const outbox = join(services.config.dataDir, 'outbox')
  await mkdir(outbox, { recursive: true })
  await writeFile(join(outbox, 'one.eml'), `From: a@b.example\nTo: ${email}\nSubject: Hello\n\nDear ${full_name}\n`)
  return { person, owner, classmate, courseId, assignmentId, submissionId: own._id, otherId: other._id, hashes }
}
