import { AppError } from '../../../lib/http/app-error.ts'
import { type LtiLaunchDoc, LtiLaunchModel } from '../../../records/lti/launch.model.ts'
import type { Services } from '../../../services.ts'
import { createLaunchHandoff } from './launch-handoff.ts'

/**
 * The same launch once more, for a window beside the frame: neither has the other's cookies, and each ends by itself. From a window there
 * is no further one, so that a launch cannot be made to last by opening it from itself.
 * @returns the address with the one-time code
 * @throws {AppError} `conflict` for what has to be answered where it was asked
 */
export async function createWindowHandoff(launch: LtiLaunchDoc, { clock }: Services): Promise<string> {
  if (launch.via === 'window') throw new AppError('conflict', 'This is a window of its own already.')
  if (launch.deep_link) throw new AppError('conflict', 'Choose here: your LMS is waiting for the answer in this place.')
  const { location, stored } = createLaunchHandoff(clock.now())
  await LtiLaunchModel.create({ ...launch, ...stored, via: 'window' })
  return location
}
