import { en } from './en';
import { ko } from './ko';

export type Lang = 'ko' | 'en';
export type Text = typeof ko;

export const texts: Record<Lang, Text> = { ko, en };
