import type { Platform, PlatformValues } from '@assay/shared/lti/lti-platforms.ts'
import { Checkbox, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Lms.module.css'

interface Props {
  texts: PlatformFormValues
  set: (change: Partial<PlatformFormValues>) => void
  errors: Record<string, ReactNode>
}

interface FieldSpec {
  field: PlatformTextField
  label: string
  hint: string
  optional?: true
  type?: 'url'
}

const endpoints: FieldSpec[] = [
  {
    field: 'issuer',
    label: 'Issuer',
    hint: 'Platform ID. Must match exactly, including any trailing slash.',
    type: 'url',
  },
  {
    field: 'auth_endpoint',
    label: 'Authentication URL',
    hint: 'Where browsers are sent to sign in (OIDC authorization endpoint).',
    type: 'url',
  },
  { field: 'token_endpoint', label: 'Access token URL', hint: 'Where Assay requests access.', type: 'url' },
  {
    field: 'token_audience',
    label: 'Audience',
    hint: 'Only if it differs from the access token URL, as in Brightspace.',
    optional: true,
  },
  { field: 'jwks_url', label: 'Key set URL', hint: 'The LMS’s public keys (JWKS).', type: 'url' },
]

export function IdentityFields(props: Props) {
  return (
    <div className={classes.pair}>
      <PlatformField {...props} field="name" label="Name" hint="The name shown in Assay." />
      <PlatformField {...props} field="client_id" label="Client ID" hint="Identifies Assay in the LMS." />
    </div>
  )
}

export function EndpointFields(props: Props) {
  return (
    <div className={classes.form}>
      {endpoints.map((field) => (
        <PlatformField key={field.field} {...props} {...field} />
      ))}
      <Textarea
        label="Page addresses (optional)"
        description="One per line. These may show Assay in a frame, as may the issuer and the authentication URL."
        minRows={2}
        spellCheck={false}
        data-path="origins"
        value={props.texts.origins}
        onChange={(event) => props.set({ origins: event.currentTarget.value })}
        error={props.errors.origins}
      />
    </div>
  )
}

export function DeploymentFields({ texts, set, errors }: Props) {
  return (
    <div className={classes.form}>
      <Textarea
        label="Deployment IDs (optional)"
        description="One per line."
        minRows={2}
        spellCheck={false}
        data-path="deployments"
        value={texts.deployments}
        onChange={(event) => set({ deployments: event.currentTarget.value })}
        error={errors.deployments}
      />
      <Checkbox
        label="Allow only these deployments"
        description="Otherwise, launches add new deployments to the list."
        checked={texts.deployments_fixed}
        onChange={(event) => set({ deployments_fixed: event.currentTarget.checked })}
      />
    </div>
  )
}

function PlatformField({ texts, set, errors, field, label, hint, optional, type }: Props & FieldSpec) {
  return (
    <TextInput
      label={optional ? `${label} (optional)` : label}
      required={!optional}
      description={hint}
      data-path={field}
      value={texts[field]}
      onChange={(event) => set({ [field]: event.currentTarget.value })}
      error={errors[field]}
      autoComplete="off"
      spellCheck={false}
      inputMode={type ?? 'text'}
    />
  )
}

/** Lists have one entry a line. */
export type PlatformFormValues = ReturnType<typeof platformFormValues>

export type PlatformTextField = Exclude<keyof PlatformFormValues, 'deployments_fixed'>

const splitLines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

export function parsePlatformForm(texts: PlatformFormValues): Omit<PlatformValues, 'lms'> {
  return {
    ...texts,
    token_audience: texts.token_audience.trim() || null,
    origins: splitLines(texts.origins),
    deployments: splitLines(texts.deployments),
  }
}

export function platformFormValues(platform: Platform) {
  return {
    name: platform.name,
    issuer: platform.issuer,
    client_id: platform.client_id,
    auth_endpoint: platform.auth_endpoint,
    token_endpoint: platform.token_endpoint,
    token_audience: platform.token_audience ?? '',
    jwks_url: platform.jwks_url,
    origins: platform.origins.join('\n'),
    deployments: platform.deployments.map(({ id }) => id).join('\n'),
    deployments_fixed: platform.deployments_fixed,
  }
}
