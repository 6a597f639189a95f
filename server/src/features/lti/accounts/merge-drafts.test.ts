import { expect, it } from 'vitest'
import { heicPicture } from '../../../../../tests/papers/heic-picture.ts'
import { PhotoDraftModel } from '../../../records/submissions/photo-draft.model.ts'
import { buildPhotoAssignment } from '../../../testing/build-photo-assignment.ts'
import { type Person, useTestApi } from '../../../testing/server.ts'
import { requireUser } from '../../users/user.service.ts'
import { mergeAccount } from './join-account.routes.ts'

const { api } = useTestApi()

it('joins photos that are not handed in, behind those of the other account', async () => {
  const { student: old, classmate: joined, by } = await buildPhotoAssignment(api)
  await by(joined).add('first.heic', heicPicture())
  await by(old).add('second.heic', heicPicture())
  const merge = async (to: Person) => mergeAccount(await requireUser(old.id), await requireUser(to.id))
  await merge(joined)
  const names = async () => (await by(joined).draft()).pages.map(({ file_name }) => file_name)
  expect(await names()).toEqual(['first.heic', 'second.heic'])
  expect(await PhotoDraftModel.countDocuments({ user_id: old.id })).toBe(0)
  await merge(joined)
  expect(await names()).toEqual(['first.heic', 'second.heic'])
})
