import type { PhotoCorners, PhotoDoubt, PhotoTurns } from '@assay/shared/photo-drafts.ts'
import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'
import type { StoredPhoto } from '../assignments/assignment.model.ts'

export interface DraftPageDoc {
  key: string
  file_name: string
  photo: StoredPhoto
  corners: PhotoCorners | null
  turns: PhotoTurns
  doubts: PhotoDoubt[]
  /** A straightened, evened JPEG with its size in a PDF. */
  sheet: { hash: string; size: number }
  preview: { hash: string; size: number }
  pixels: { width: number; height: number }
  points: { width: number; height: number }
}

const draftSchema = schemaOf(
  {
    /** `assignment/user`. */
    _id: field.id(String),
    /** Random; copied to the paper, so that it is made once. */
    draft: field.required(String),
    assignment_id: field.custom<number>({ type: Number, required: true, index: true }),
    /** A student with their own paper, or a teacher with a student's. */
    user_id: field.custom<number>({ type: Number, required: true, index: true }),
    pages: field.required<DraftPageDoc[]>(Mixed),
    revision: field.required(Number),
    expires_at: field.required(Date),
  },
  { minimize: false },
)
export type PhotoDraftDoc = DocOf<typeof draftSchema>
draftSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 })
export const PhotoDraftModel = defineModel('PhotoDraft', draftSchema, 'photo_drafts')

export const draftHas = (hash: string) => ({
  $or: ['pages.photo.hash', 'pages.photo.view.hash', 'pages.sheet.hash', 'pages.preview.hash'].map((path) => ({
    [path]: hash,
  })),
})

export const bytesOfPage = ({ photo, sheet, preview }: DraftPageDoc): number =>
  photo.size + photo.view.size + sheet.size + preview.size

export const filesOfDraft = ({ pages }: Pick<PhotoDraftDoc, 'pages'>): string[] =>
  pages.flatMap(({ photo, sheet, preview }) => [photo.hash, photo.view.hash, sheet.hash, preview.hash])
