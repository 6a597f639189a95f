import { getPublicSettings } from '@assay/shared/settings.ts'
import type { ReactNode } from 'react'
import { LoadError, PageSkeleton } from '../../../components/layout/Page.tsx'
import { NotFoundPage } from '../../../layout/NotFoundPage.tsx'
import { useGet } from '../../../lib/api/api-hooks.ts'

export function TestPagesGuard({ children }: { children: ReactNode }) {
  const settings = useGet(getPublicSettings)
  if (settings.data) return settings.data.test_pages ? children : <NotFoundPage />
  if (settings.error) return <LoadError error={settings.error} retry={settings.reload} />
  return <PageSkeleton />
}
