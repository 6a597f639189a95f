import { getMailedLink, type MailedLink } from '@assay/shared/auth.ts'
import { Loader } from '@mantine/core'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router-dom'
import useSWR from 'swr'
import { LinkButton, PrimaryLinkButton, SecondaryButton } from '../../components/display/buttons.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { type ApiError, asApiError } from '../../lib/api/api-error.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { AuthFrame } from './AuthFrame.tsx'
import classes from './auth.module.css'

export function InvalidLink({ title, children, again }: { title: string; children: ReactNode; again?: string }) {
  return (
    <AuthFrame title={title}>
      <div className={classes.fields}>
        <Notice tone="warn">{children}</Notice>
        {again && (
          <PrimaryLinkButton to="/auth/forgot-password" size="md" fullWidth>
            {again}
          </PrimaryLinkButton>
        )}
        <LinkButton to="/auth/login" size="md" fullWidth>
          Go to login
        </LinkButton>
      </div>
    </AuthFrame>
  )
}

export function LinkFailed({ title, error, retry }: { title: string; error: ApiError; retry: () => void }) {
  return (
    <AuthFrame title={title}>
      <div className={classes.fields}>
        <Notice tone="bad">{error.message}</Notice>
        <SecondaryButton size="md" onClick={retry}>
          Try Again
        </SecondaryButton>
      </div>
    </AuthFrame>
  )
}

export function LinkLoading({ title }: { title: string }) {
  return (
    <AuthFrame title={title}>
      <div className={classes.waiting} role="status">
        <Loader size="sm" aria-hidden /> Checking your link…
      </div>
    </AuthFrame>
  )
}

/** `link` is null when it is of another purpose or no longer valid. */
export function useEmailLink(purpose: MailedLink['purpose']) {
  const [search] = useSearchParams()
  const token = search.get('token')?.trim() ?? ''
  const { data, error, mutate } = useSWR<MailedLink | null, ApiError>(
    // Read once: after it was used, its subject stays on screen.
    token ? `mailed-link ${token}` : null,
    () => lookUpLink(token),
    { revalidateOnFocus: false, revalidateOnReconnect: false },
  )
  const other = data && data.purpose !== purpose
  return { token, link: token === '' || other ? null : data, error, reload: () => void mutate() }
}

async function lookUpLink(token: string): Promise<MailedLink | null> {
  try {
    return (await callApi(getMailedLink, { body: { token } })).body
  } catch (cause) {
    const error = asApiError(cause)
    if (error.code === 'link_invalid' || error.status === 422) return null
    throw error
  }
}
