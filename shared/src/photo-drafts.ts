import { z } from 'zod'
import { allRoles, BodyId, defineEndpoint, Id, Timestamp } from './http/endpoint.ts'
import { StudentAssignmentDetails } from './students.ts'
import { SubmissionRow } from './submissions.ts'

const Share = z.number().min(0).max(1)
const PhotoPoint = z.tuple([Share, Share])

/** Parts of the upright photo's width and height, clockwise from the upper left. */
export const PhotoCorners = z.tuple([PhotoPoint, PhotoPoint, PhotoPoint, PhotoPoint])
export type PhotoCorners = z.infer<typeof PhotoCorners>

/** Clockwise quarter turns. */
const PhotoTurns = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)])
export type PhotoTurns = z.infer<typeof PhotoTurns>

/** `no_edges`: no sheet was surely found, so the page is the whole photo. `far`: writing may be too small to read. */
export const PhotoDoubt = z.enum(['no_edges', 'far'])
export type PhotoDoubt = z.infer<typeof PhotoDoubt>

/** Chosen by the client, so that a photo sent again is added once. */
const PageKey = z.uuid()

export const PhotoPage = z.object({
  key: PageKey,
  file_name: z.string(),
  /** Null: the whole photo. */
  corners: PhotoCorners.nullable(),
  turns: PhotoTurns,
  doubts: z.array(PhotoDoubt),
  /** Differs when the page looks different. */
  version: z.string(),
})
export type PhotoPage = z.infer<typeof PhotoPage>

export const PhotoDraft = z.object({
  id: z.string().nullable(),
  revision: z.number().int(),
  /** Unless it is changed; null while empty. */
  expires_at: Timestamp.nullable(),
  pages: z.array(PhotoPage),
})
export type PhotoDraft = z.infer<typeof PhotoDraft>

const params = z.object({ assignmentId: Id })
const pageParams = params.extend({ key: PageKey })

export const getPhotoDraft = defineEndpoint('get', '/assignments/:assignmentId/photo-draft', {
  summary: 'The caller’s photos of a paper that are not handed in yet',
  access: allRoles,
  reply: PhotoDraft,
})

/** JPEG, PNG, WebP or HEIC. */
export const addPhoto = defineEndpoint('put', '/assignments/:assignmentId/photo-draft/pages/:key', {
  summary: 'Add a photo as the last page',
  access: allRoles,
  params: pageParams,
  files: { photo: 'one' },
  fileType: 'picture',
  reply: PhotoDraft,
})

export const changePhoto = defineEndpoint('patch', '/assignments/:assignmentId/photo-draft/pages/:key', {
  summary: 'Crop or turn a page',
  access: allRoles,
  params: pageParams,
  body: z.object({ corners: PhotoCorners.nullable(), turns: PhotoTurns }),
  reply: PhotoDraft,
  timeoutMs: 90_000,
})

export const removePhoto = defineEndpoint('delete', '/assignments/:assignmentId/photo-draft/pages/:key', {
  summary: 'Remove a page',
  access: allRoles,
  params: pageParams,
  reply: PhotoDraft,
})

/** Missing keys come last, in their order. */
export const orderPhotos = defineEndpoint('put', '/assignments/:assignmentId/photo-draft/order', {
  summary: 'Put the pages in order',
  access: allRoles,
  body: z.object({ keys: z.array(PageKey).max(100) }),
  reply: PhotoDraft,
})

export const deletePhotoDraft = defineEndpoint('delete', '/assignments/:assignmentId/photo-draft', {
  summary: 'Delete all photos that are not handed in yet',
  access: allRoles,
  reply: PhotoDraft,
})

/** `sheet`: as in the paper; `photo`: all of it. Both small, upright; `version` defeats caches. */
export const getPhotoPicture = defineEndpoint('get', '/assignments/:assignmentId/photo-draft/pages/:key/picture', {
  summary: 'A page as a picture',
  access: allRoles,
  params: pageParams,
  query: z.object({ of: z.enum(['sheet', 'photo']).default('sheet'), version: z.string().max(100).optional() }),
  reply: z.string(),
  raw: 'image/jpeg',
})

/** Handed in once, however often it is sent. */
const AsSeen = z.object({
  draft_id: z.string().max(100),
  revision: z.number().int(),
  is_handwritten: z.boolean().default(false),
})

export const handInPhotos = defineEndpoint('post', '/student/assignments/:assignmentId/photos', {
  summary: 'Submit the photos as one paper, stored as a PDF; until the grade is released, it replaces the last one',
  access: ['student'],
  status: 201,
  body: AsSeen,
  reply: StudentAssignmentDetails,
  timeoutMs: 90_000,
})

export const uploadPhotos = defineEndpoint('post', '/assignments/:assignmentId/submissions/photos', {
  summary: 'Upload the photos as one student’s paper, stored as a PDF',
  status: 201,
  /** Null: nobody’s until it is matched. */
  body: AsSeen.extend({ student_id: BodyId.nullable() }),
  reply: SubmissionRow,
  timeoutMs: 90_000,
})
