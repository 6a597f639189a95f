import { getPublicSettings } from '@assay/shared/settings.ts'
import type { ReactNode } from 'react'
import { LoadError } from '../../components/feedback/LoadError.tsx'
import { PageSkeleton } from '../../components/layout/PageSkeleton.tsx'
import { NotFoundPage } from '../../layout/NotFoundPage.tsx'
import { useGet } from '../../lib/api/api-hooks.ts'

/** The test pages are there only where the server says so; elsewhere nobody can tell them from nothing. */
export function TestPagesGuard({ children }: { children: ReactNode }) {
  const settings = useGet(getPublicSettings)
  if (settings.data) return settings.data.test_pages ? children : <NotFoundPage />
  if (settings.error) return <LoadError error={settings.error} retry={settings.reload} />
  return <PageSkeleton />
}
