const TRY_AGAIN =
  'Go back to the course and open Assay again. If that does not help, show this page to your LMS administrator.'
const SHOW_ADMIN = 'Show this page to your LMS administrator. What needs fixing is listed below.'

/** `message` and `todo` are for the user, `fix` for the LMS administrator. */
const refusals = {
  login_incomplete: {
    status: 400,
    message: 'The LMS did not say who is launching what.',
    todo: SHOW_ADMIN,
    fix: 'The login request lacks iss, login_hint or target_link_uri. Check the login URL (OIDC initiation URL) registered for Assay.',
  },
  platform_unknown: {
    status: 400,
    message: 'This LMS is not registered with Assay.',
    todo: SHOW_ADMIN,
    fix: 'No LMS in Assay has the launch’s issuer and client ID. Compare them with those on the LMS’s page in Assay.',
  },
  platform_pending: {
    status: 403,
    message: 'This LMS is waiting for approval in Assay.',
    todo: SHOW_ADMIN,
    fix: 'An Assay administrator must approve it on the LMS’s page.',
  },
  platform_off: {
    status: 403,
    message: 'This LMS has been deactivated in Assay.',
    todo: SHOW_ADMIN,
    fix: 'An Assay administrator can reactivate it on the LMS’s page.',
  },
  state_unknown: {
    status: 400,
    message: 'This launch was already used or took too long.',
    todo: TRY_AGAIN,
    fix: 'Its state or nonce does not match an open login. Go back to the course and open Assay again. A launch is valid for ten minutes and works once.',
  },
  other_browser: {
    status: 400,
    message: 'This launch started in another browser, or this browser blocks cookies.',
    todo: 'Allow cookies for this page, or open Assay from the course in a new window.',
    fix: 'The state belongs to another browser. Open Assay again from the course, or in a new window.',
  },
  launch_incomplete: {
    status: 400,
    message: 'Assay was opened without a message from an LMS.',
    todo: 'Open Assay from your course.',
    fix: 'The launch URL expects the state and id token that the LMS posts after the login. Links and bookmarks must use the login URL.',
  },
  lms_declined: {
    status: 403,
    message: 'The LMS did not say who you are.',
    todo: TRY_AGAIN,
    fix: 'The LMS answered the login with an error; see the detail. Often the user is signed out, or the redirect URI registered for Assay is wrong.',
  },
  token_invalid: {
    status: 401,
    message: 'The LMS’s message could not be verified.',
    todo: TRY_AGAIN,
    fix: 'The id token’s signature, audience, issuer or format is wrong. See the detail in the launch log on the LMS’s page in Assay.',
  },
  token_time: {
    status: 401,
    message: 'The LMS’s message has expired, or its clock is ahead of Assay’s.',
    todo: TRY_AGAIN,
    fix: 'The clocks of the LMS and Assay differ, or the launch took too long. Compare both clocks.',
  },
  keys_unreachable: {
    status: 502,
    message: 'The LMS’s keys could not be fetched.',
    todo: TRY_AGAIN,
    fix: 'Its key set (JWKS) URL returned no key set. Check the URL, and that Assay’s server can reach it.',
  },
  key_unknown: {
    status: 401,
    message: 'The LMS used a signing key that it does not publish.',
    todo: TRY_AGAIN,
    fix: 'No key in the LMS’s key set has the id token’s kid. Check the key set URL.',
  },
  deployment_unknown: {
    status: 403,
    message: 'This deployment is not allowed for this LMS.',
    todo: SHOW_ADMIN,
    fix: 'The launch’s deployment ID is not in the list on the LMS’s page in Assay.',
  },
  claims_missing: {
    status: 400,
    message: 'The LMS’s message is incomplete.',
    todo: SHOW_ADMIN,
    fix: 'An LTI 1.3 claim is missing or wrong. See the detail in the launch log on the LMS’s page in Assay.',
  },
  account_off: {
    status: 403,
    message: 'Your Assay account is deactivated.',
    todo: 'Ask an Assay administrator to reactivate it.',
    fix: 'An Assay administrator can reactivate it.',
  },
  registration_link: {
    status: 403,
    message: 'This registration link is no longer valid.',
    todo: 'Ask an Assay administrator for a new link.',
    fix: 'It was used or revoked, or is older than seven days. An Assay administrator can create a new one under LMS, “Register an LMS”.',
  },
  registration_busy: {
    status: 409,
    message: 'This registration link is in use.',
    todo: 'Wait a minute, then open it again.',
    fix: 'Wait a minute and open it again. If it was opened twice, the first one continues.',
  },
  registration_opened: {
    status: 400,
    message: 'This link must be opened by the LMS, not in a browser.',
    todo: 'Paste it into your LMS where it asks for a tool’s registration URL.',
    fix: 'Paste it where the LMS asks for a tool’s registration URL. The LMS opens it with its openid_configuration.',
  },
  registration_address: {
    status: 400,
    message: 'The LMS gave an address to which Assay may not connect.',
    todo: 'Correct it in the LMS and try again. The link is still valid.',
    fix: 'Addresses must begin with https:// and must not be in a private network. The server operator can allow private addresses (LTI_PRIVATE_ADDRESSES).',
  },
  registration_configuration: {
    status: 502,
    message: 'The LMS’s configuration could not be read.',
    todo: 'Try again from the LMS. The link is still valid.',
    fix: 'Its openid_configuration URL did not return a usable configuration. See the detail, then open the link from the LMS again.',
  },
  registration_issuer: {
    status: 400,
    message: 'The LMS’s configuration belongs to another site.',
    todo: 'Correct it in the LMS and try again. The link is still valid.',
    fix: 'The issuer must be on the site the configuration comes from. Check the LMS’s own address (Moodle: wwwroot), or register it manually.',
  },
  registration_rejected: {
    status: 502,
    message: 'The LMS rejected the registration.',
    todo: 'Try again from the LMS. The link is still valid.',
    fix: 'See the detail for its reason. Start the registration in the LMS again. The link is still valid.',
  },
} as const satisfies Record<string, { status: number; message: string; todo: string; fix: string }>

export type RefusalCode = keyof typeof refusals
export const refusalCodes = Object.keys(refusals) as RefusalCode[]

export function explainRefusal(code: string | null): { message: string; fix: string } | null {
  const known = refusalCodes.find((one) => one === code)
  return known ? { message: refusals[known].message, fix: refusals[known].fix } : null
}

export class LtiRefusal extends Error {
  override name = 'LtiRefusal'
  readonly code: RefusalCode
  readonly words: (typeof refusals)[RefusalCode]
  /** For the log: never a token or a name. */
  readonly detail: string | null
  constructor(code: RefusalCode, detail?: string, options?: ErrorOptions) {
    super(`${code}${detail ? `: ${detail}` : ''}`, options)
    this.code = code
    this.words = refusals[code]
    this.detail = detail ?? null
  }

  /** What a page about it shows. */
  get page() {
    const { status, message, todo, fix } = this.words
    return { status, message, todo, details: { fix, code: this.code, detail: this.detail } }
  }
}
