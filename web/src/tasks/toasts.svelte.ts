// Short messages about completed actions. They disappear after a while, errors later.

export interface ToastMessage {
  id: number;
  text: string;
  tone: 'good' | 'bad';
}

let shown = $state.raw<ToastMessage[]>([]);
let next = 1;

export const toasts = {
  get shown() {
    return shown;
  },
};

export function showToast(text: string, tone: ToastMessage['tone'] = 'good'): void {
  const id = next++;
  shown = [...shown.slice(-2), { id, text, tone }];
  setTimeout(() => dismissToast(id), tone === 'bad' ? 10_000 : 4_000);
}

export function dismissToast(id: number): void {
  shown = shown.filter((one) => one.id !== id);
}
