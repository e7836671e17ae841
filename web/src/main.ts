import { mount } from 'svelte';
import '@fontsource-variable/inter';
import './styles/tokens.css';
import './styles/base.css';
import App from './App.svelte';

const target = document.getElementById('app');
if (!target) throw new Error('The page has no place for the application.');
export default mount(App, { target });
