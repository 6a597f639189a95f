import type { Launch } from '@assay/shared/lti.ts'
import type { UserDoc } from '../../users/user.model.ts'
import { originsOf } from '../platforms/platform.service.ts'
import type { Entered, LaunchAtHand } from './launch.service.ts'
import { targetOf } from './launch-target.ts'

export async function presentLaunch(
  { launch, platform, context, link }: LaunchAtHand,
  user: UserDoc,
): Promise<Launch> {
  return {
    id: launch._id,
    platform: { name: platform.name, lms: platform.lms },
    role: launch.role,
    ...(await targetOf(launch, { context, link })),
    context_title: context?.title ?? null,
    link_title: link?.title ?? null,
    parent_origin: parentOrigin({ launch, platform }),
    return_url: launch.return_url,
    can_join_account: user.from_lms === true && user.test_user !== true,
  }
}

/** Where the frame around us comes from: what the launch says, else what is known of the LMS if that is one. */
function parentOrigin({ launch, platform }: Pick<LaunchAtHand, 'launch' | 'platform'>): string | null {
  const said = launch.return_url ?? launch.deep_link?.return_url
  const origins = originsOf(platform)
  return (
    (said && URL.parse(said)?.origin) ??
    platform.origins[0] ??
    (origins.length === 1 ? origins[0] : null) ??
    null
  )
}

export async function presentEntered(entered: Entered) {
  const { token, user } = entered
  return { access_token: token, token_type: 'bearer' as const, launch: await presentLaunch(entered, user) }
}
