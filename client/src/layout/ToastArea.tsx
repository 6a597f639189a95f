import { lazy, Suspense, useSyncExternalStore } from 'react'
import { toastsWanted } from '../lib/toast.ts'

const Toasts = lazy(() => import('../components/Toasts.tsx'))

export function ToastArea() {
  const wanted = useSyncExternalStore(toastsWanted.subscribe, toastsWanted.get)
  return wanted ? (
    <Suspense fallback={null}>
      <Toasts />
    </Suspense>
  ) : null
}
