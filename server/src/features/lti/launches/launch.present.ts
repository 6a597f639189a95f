import type { Launch } from '@assay/shared/lti/lti.ts'
import type { UserDoc } from '../../../records/people/user.model.ts'
import type { Services } from '../../../services.ts'
import { createCsrfToken } from '../../auth/session.service.ts'
import { presentUser } from '../../users/user.service.ts'
import { platformOrigins } from '../platforms/platform.service.ts'
import type { LaunchDetails, LaunchSession } from './launch.service.ts'
import { launchTargetOf } from './launch-target.ts'

export async function presentLaunch(
  { launch, platform, context, link }: LaunchDetails,
  user: UserDoc,
): Promise<Launch> {
  return {
    id: launch._id,
    platform: { name: platform.name, lms: platform.lms },
    role: launch.role,
    ...(await launchTargetOf(launch, { context, link })),
    lms_administrator: launch.lms_administrator ?? null,
    context_title: context?.title ?? null,
    link_title: link?.title ?? null,
    parent_origin: parentOrigin({ launch, platform }),
    return_url: launch.return_url,
    limited_to_lms: launch.lms_issuer != null,
    can_join_account: user.from_lms === true && user.test_user !== true,
  }
}

/** As the launch says, else the only one known of the LMS. */
function parentOrigin({ launch, platform }: Pick<LaunchDetails, 'launch' | 'platform'>): string | null {
  const returnUrl = launch.return_url ?? launch.deep_link?.return_url
  const origins = platformOrigins(platform)
  return (
    (returnUrl && URL.parse(returnUrl)?.origin) ??
    platform.origins[0] ??
    (origins.length === 1 ? origins[0] : null) ??
    null
  )
}

export async function presentLaunchSession(opened: LaunchSession, { config, clock }: Services) {
  const { token, user, launch } = opened
  return {
    access_token: token,
    token_type: 'bearer' as const,
    launch: await presentLaunch(opened, user),
    // With the role of the launch, which may differ from the account's.
    user: { ...presentUser(user), role: launch.role },
    csrf_token: createCsrfToken(launch.session_id, config.secretKey, clock.now()),
    first_replies: [],
  }
}
