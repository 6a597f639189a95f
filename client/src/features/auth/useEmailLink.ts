import { getMailedLink, type MailedLink } from '@assay/shared/auth.ts'
import { useSearchParams } from 'react-router-dom'
import useSWR from 'swr'
import { type ApiError, asApiError } from '../../lib/api/api-error.ts'
import { callApi } from '../../lib/api/call-api.ts'

/** `link` is null when it is of another purpose or no longer valid. */
export function useEmailLink(purpose: MailedLink['purpose']): {
  token: string
  link: MailedLink | null | undefined
  error: ApiError | undefined
  reload: () => void
} {
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
