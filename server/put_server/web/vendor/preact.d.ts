// Types of what the page uses of preact and htm, for the checks alone.
export function html(strings: TemplateStringsArray, ...values: any[]): any;
export function render(shown: any, into: Element): void;
export function useState<T>(first: T): [T, (next: T) => void];
export function useReducer<S, A>(reduce: (state: S, action: A) => S, first: S): [S, (action?: A) => void];
export function useEffect(does: () => void | (() => void), inputs?: readonly any[]): void;
export function useRef<T>(first: T): { current: T };
export function useLayoutEffect(does: () => void | (() => void), inputs?: readonly any[]): void;
