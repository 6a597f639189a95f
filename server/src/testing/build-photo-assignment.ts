import { randomUUID } from 'node:crypto'
import { publishAssignment } from '@assay/shared/assignments.ts'
import { addPhoto, getPhotoDraft, handInPhotos } from '@assay/shared/photo-drafts.ts'
import { listSubmissions } from '@assay/shared/submissions.ts'
import { buildAssignment, buildCourse } from './build-course.ts'
import type { Api, Person } from './server.ts'

export async function buildPhotoAssignment(api: Api) {
  const { instructor, students, courseId } = await buildCourse(api, { students: 2 })
  const [student, classmate] = students as [Person, Person]
  const { assignmentId } = await buildAssignment(api, { instructor, courseId }, [])
  const params = { assignmentId }
  await api.as(instructor).send(publishAssignment, { params })
  const by = (who: Person) => ({
    add: (
      name: string,
      bytes: Buffer,
      { key = randomUUID() as string, signal = undefined as AbortSignal | undefined } = {},
    ) =>
      api
        .as(who)
        .send(addPhoto, { params: { ...params, key }, files: { photo: [{ name, bytes }] }, ...(signal && { signal }) }),
    draft: async () => (await api.as(who).send(getPhotoDraft, { params })).body,
    handIn: async () => {
      const { id, revision } = (await api.as(who).send(getPhotoDraft, { params })).body
      return api.as(who).send(handInPhotos, { params, body: { draft_id: id ?? '', revision } })
    },
  })
  const rows = async () => (await api.as(instructor).send(listSubmissions, { params })).body
  return { instructor, student, classmate, courseId, assignmentId, params, by, mine: by(student), rows }
}
