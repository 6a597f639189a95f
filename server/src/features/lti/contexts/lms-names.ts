import { LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import { contextsOfCourse } from './context.service.ts'

export async function lmsNamesOfCourse(courseId: number): Promise<string[]> {
  const ids = (await contextsOfCourse(courseId)).map(({ platform_id }) => platform_id)
  if (ids.length === 0) return []
  const platforms = await LtiPlatformModel.find({ _id: { $in: ids } }, { name: 1 })
    .sort({ _id: 1 })
    .lean()
  return [...new Set(platforms.map(({ name }) => name))]
}
