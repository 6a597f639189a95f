import { PrimaryLinkButton } from '../components/display/buttons.tsx'
import { EmptyState, NotFoundIllustration } from '../components/feedback/EmptyState.tsx'
import { usePageTitle } from '../components/layout/usePageTitle.ts'

export function NotFoundPage({ words }: { words?: string }) {
  usePageTitle('Page not found')
  return (
    <EmptyState
      titleOrder={1}
      illustration={<NotFoundIllustration />}
      title="Page not found"
      action={<PrimaryLinkButton to="/">Go to the start page</PrimaryLinkButton>}
    >
      {words} This page does not exist. It may have been deleted, or the link may be incomplete.
    </EmptyState>
  )
}
