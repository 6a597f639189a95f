import { AppError } from '../../../lib/http/app-error.ts'
import { type LtiLaunchDoc, LtiLaunchModel } from '../../../records/lti/launch.model.ts'
import type { Services } from '../../../services.ts'
import { createLaunchHandoff } from './launch-handoff.ts'

/**
 * Opens the same launch again in a new window, with its own session, since frame and window do not share cookies. Not from such a
 * window: a launch must not be prolonged by opening it from itself.
 * @returns the path with the one-time code
 * @throws {AppError} `conflict` in a new window, and for deep linking, which must be answered in its frame
 */
export async function createWindowHandoff(launch: LtiLaunchDoc, { clock }: Services): Promise<string> {
  if (launch.via === 'window') throw new AppError('conflict', 'Assay is already open in its own window.')
  if (launch.deep_link)
    throw new AppError('conflict', 'Make your choice here. Your LMS is waiting for it in this window.')
  const { location, stored } = createLaunchHandoff(clock.now())
  await LtiLaunchModel.create({ ...launch, ...stored, via: 'window' })
  return location
}
